/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.util.Collection;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;

/** Makes the engine write tables that Flink's fork can read, so that a job can return to it with any savepoint. */
public final class OlderTables implements RocksDBOptionsFactory {
  private static final long serialVersionUID = 1;
  private static final int NEWEST_OF_THE_FORK = 5;

  @Override
  public DBOptions createDBOptions(DBOptions options, Collection<AutoCloseable> toClose) {
    return options;
  }

  @Override
  public ColumnFamilyOptions createColumnOptions(ColumnFamilyOptions options, Collection<AutoCloseable> toClose) {
    BlockBasedTableConfig table =
        options.tableFormatConfig() instanceof BlockBasedTableConfig set ? set : new BlockBasedTableConfig();
    return options.setTableFormatConfig(table.setFormatVersion(NEWEST_OF_THE_FORK));
  }
}
