/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * The options with which a database was last opened, from the {@code OPTIONS} file in its folder.
 *
 * <pre>{@code
 * StoredOptions stored = StoredOptions.load(folder);
 * try (RocksDb db = RocksDb.at(folder).options(stored.database()).families(stored.families()).open()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Built-in merge operators and comparators are included. Java callbacks, an {@link Expiry}, shared caches and
 * limits, and other objects in memory are not, and must be set again.
 *
 * @param database the database options
 * @param families the column family options by name
 */
public record StoredOptions(DatabaseOptions database, Map<String, FamilyOptions> families) {
  /**
   * Copies the map.
   *
   * @param database the database options
   * @param families the column family options by name
   */
  public StoredOptions {
    requireNonNull(database, "database");
    families = Map.copyOf(requireNonNull(families, "families"));
  }

  /**
   * Reads the newest OPTIONS file.
   *
   * @param folder the database folder; the database may be open
   * @return the options of the database and of each of its column families
   * @throws IllegalArgumentException if there is no OPTIONS file, or it is malformed or has an option that is not
   *     supported
   */
  public static StoredOptions load(Path folder) {
    FolderPath folderPath = FolderPath.of(folder);
    try {
      OptionsFile file = OptionsFile.newest(folderPath.path());
      if (file == null) {
        throw new IllegalArgumentException("folder: " + folder + " has no options file: it is no database, or its program has to open it first");
      }
      DatabaseOptions database = DatabaseOptions.defaults();
      for (var option : file.database().entrySet()) {
        if (!OptionTable.PRESENCE.contains(option.getKey())) {
          database = database.option(option.getKey(), option.getValue());
        }
      }
      Map<String, FamilyOptions> families = new LinkedHashMap<>();
      file.families().forEach((name, settings) -> families.put(name, family(settings, file.table(name))));
      return new StoredOptions(database, families);
    } catch (DatabaseFile.Refusal e) {
      throw Status.of(e, "reading the stored options of " + folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FamilyOptions family(Map<String, String> settings, Map<String, String> ofTable) {
    FamilyOptions options = FamilyOptions.defaults();
    for (var option : settings.entrySet()) {
      options = options.option(option.getKey(), option.getValue());
    }
    return options.table(TableOptions.defaults().with(ofTable, false));
  }
}
