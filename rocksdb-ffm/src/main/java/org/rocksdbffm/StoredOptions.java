/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.folder.StoredDatabase;

/**
 * The options of a database and of each of its column families: those that it was opened with last ({@link Options#load}), or
 * the same for all ({@link #same}), with changes for some. Immutable.
 *
 * <pre>{@code
 * StoredOptions stored = Options.load(folder).withFamilies((name, its) -> its.compression(Compression.ZSTD));
 * try (RocksDb db = stored.open(folder)) {
 *   ...
 * }
 * }</pre>
 *
 * <p>The engine's own merge operators and orders are among what is stored. Code in Java, an {@link Expiry}, caches and limits
 * that databases share, and whatever else lives in memory alone, is not, and is set again.
 *
 * @param database the options of the database as a whole
 * @param columnFamilies the options of each column family, by name
 */
public record StoredOptions(Options database, Map<String, Options> columnFamilies) {
  /**
   * Copies the map.
   *
   * @param database the options of the database as a whole
   * @param columnFamilies the options of each column family, by name
   */
  public StoredOptions {
    requireNonNull(database, "database");
    columnFamilies = Map.copyOf(requireNonNull(columnFamilies, "columnFamilies"));
  }

  static StoredOptions load(Path folder) {
    FolderPath its = FolderPath.of(folder);
    try {
      OptionsFile file = OptionsFile.newest(its.path());
      if (file == null) {
        throw new IllegalArgumentException("folder: " + folder + " has no options file; it is not a database");
      }
      Map<String, Options> families = new LinkedHashMap<>();
      file.families().forEach((name, settings) -> {
        TableOptions table = TableOptions.defaults();
        for (var option : file.table(name).entrySet()) {
          table = table.option(option.getKey(), option.getValue());
        }
        families.put(name, of(settings).table(table));
      });
      return new StoredOptions(of(file.database()), families);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same options for a database and for each column family that it has.
   *
   * @param folder the database's folder
   * @param options for all of it
   * @return the options, to be changed for some of the families
   */
  public static StoredOptions same(Path folder, Options options) {
    requireNonNull(options, "options");
    Map<String, Options> families = new LinkedHashMap<>();
    RocksDb.families(folder).forEach(name -> families.put(name, options));
    return new StoredOptions(options, families);
  }

  /**
   * Changes the options of the database as a whole.
   *
   * @param options take the place of those there are
   * @return the changed options
   */
  public StoredOptions withDatabase(Options options) {
    return new StoredOptions(requireNonNull(options, "options"), columnFamilies);
  }

  /**
   * Changes the options of one column family; the others keep theirs.
   *
   * @param name of a family, which may be one to be created
   * @param options take the place of those there are
   * @return the changed options
   */
  public StoredOptions withFamily(String name, Options options) {
    Map<String, Options> changed = new LinkedHashMap<>(columnFamilies);
    changed.put(requireNonNull(name, "name"), requireNonNull(options, "options"));
    return new StoredOptions(database, changed);
  }

  /**
   * Changes the options of each column family.
   *
   * @param change gets the name of a family and its options, and returns those that it is to have
   * @return the changed options
   */
  public StoredOptions withFamilies(BiFunction<String, Options, Options> change) {
    requireNonNull(change, "change");
    Map<String, Options> changed = new LinkedHashMap<>();
    columnFamilies.forEach((name, its) -> changed.put(name, requireNonNull(change.apply(name, its), "change returned null")));
    return new StoredOptions(database, changed);
  }

  /**
   * Opens a database with these. Other kinds, such as {@link TransactionDb}, take {@link #database} and {@link
   * #columnFamilies}.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public RocksDb open(Path folder) {
    return RocksDb.open(folder, database, columnFamilies);
  }

  /**
   * Opens a database with these for reading alone.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public RocksDb openReadOnly(Path folder) {
    return RocksDb.openReadOnly(folder, database, columnFamilies);
  }

  private static Options of(Map<String, String> settings) {
    Options options = Options.defaults();
    for (var option : settings.entrySet()) {
      options = options.option(option.getKey(), option.getValue());
    }
    return options;
  }

  /** The options that are replaced on purpose, and one more. */
  static Set<String> replacing(Set<String> replaced, String option) {
    if (!StoredDatabase.HELD.contains(option)) {
      throw new IllegalArgumentException(
          "option: '" + option + "' is not held against what is stored; these are: " + new TreeSet<>(StoredDatabase.HELD));
    }
    Set<String> all = new HashSet<>(replaced);
    all.add(option);
    return Set.copyOf(all);
  }
}
