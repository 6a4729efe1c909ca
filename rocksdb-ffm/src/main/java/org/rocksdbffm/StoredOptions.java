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
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.folder.StoredDatabase;

/**
 * The options that a database was opened with last.
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
