/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDBException;

/** Reads OPTIONS files with an Env, which newer releases take in {@code ConfigOptions}. */
public final class OptionFiles {
  private OptionFiles() {}

  public static void loadLatest(
      String database, Env env, DBOptions options, List<ColumnFamilyDescriptor> families, boolean ignoreUnknown)
      throws RocksDBException {
    try (ConfigOptions reading = reading(env, ignoreUnknown)) {
      OptionsUtil.loadLatestOptions(reading, database, options, families);
    }
  }

  public static void load(
      String file, Env env, DBOptions options, List<ColumnFamilyDescriptor> families, boolean ignoreUnknown)
      throws RocksDBException {
    try (ConfigOptions reading = reading(env, ignoreUnknown)) {
      OptionsUtil.loadOptionsFromFile(reading, file, options, families);
    }
  }

  private static ConfigOptions reading(Env env, boolean ignoreUnknown) {
    return new ConfigOptions().setEnv(env).setIgnoreUnknownOptions(ignoreUnknown);
  }
}
