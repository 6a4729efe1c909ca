/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.EncryptedFiles;
import org.rocksdbffm.compat.support.Encryption;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.options.table.OptionTable;

/** Loads options from OPTIONS files, and records their values for the checks at their use. */
public final class LoadedOptions {
  private LoadedOptions() {}

  private interface Reading {
    OptionsFile read() throws IOException;
  }

  public static void latest(long config, String folder, long database, List<ColumnFamilyDescriptor> families)
      throws RocksDBException {
    EncryptedFiles.requireDatabase(folder);
    Java_org_rocksdb_OptionsUtil_loadLatestOptions(config, folder, database, families);
    Encryption.setIn(database);
    note(() -> OptionsFile.newest(Path.of(folder)), database, families);
  }

  public static void file(long config, String file, long database, List<ColumnFamilyDescriptor> families)
      throws RocksDBException {
    EncryptedFiles.requireFile(file);
    Java_org_rocksdb_OptionsUtil_loadOptionsFromFile(config, file, database, families);
    Encryption.setIn(database);
    note(() -> OptionsFile.read(Path.of(file), name -> true), database, families);
  }

  private static void note(Reading reading, long database, List<ColumnFamilyDescriptor> families) {
    try {
      OptionsFile options = Encryption.during(reading::read);
      if (options != null) {
        Settings.text(database, OptionTable.DATABASE, options.database());
        for (ColumnFamilyDescriptor family : families) {
          String name = new String(family.getName(), UTF_8);
          long handle = family.getOptions().getNativeHandle();
          Settings.text(handle, OptionTable.FAMILY, options.families().getOrDefault(name, Map.of()));
          Settings.text(handle, OptionTable.TABLE, options.table(name));
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      return; // the file is in a custom Env, or only the engine can parse it
    }
  }

  private static native void Java_org_rocksdb_OptionsUtil_loadLatestOptions(
      long config, String folder, long database, List<ColumnFamilyDescriptor> families) throws RocksDBException;

  private static native void Java_org_rocksdb_OptionsUtil_loadOptionsFromFile(
      long config, String file, long database, List<ColumnFamilyDescriptor> families) throws RocksDBException;
}
