/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.exits;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.RocksDb;

/** A database of the core: merges call Java in a method's call, and compaction filters on an engine thread. */
final class CoreStore implements Victim.Store {
  static final String MERGE = "ends";
  private static final byte[] MERGED = {'m'};

  private final RocksDb db;

  private CoreStore(RocksDb db) {
    this.db = db;
  }

  static CoreStore open(Path folder, Way way, AtomicBoolean ends) {
    MergeFunction merge =
        (key, value, operands) -> {
          if (ends.get()) {
            way.endHere();
          }
          return null;
        };
    FamilyOptions options =
        FamilyOptions.defaults()
            .option("write_buffer_size", 64 << 10)
            .option("level0_file_num_compaction_trigger", 2)
            .mergeOperator(MERGE, merge);
    if (way.isInThreadOfEngine()) {
      options =
          options.compactionFilter(
              MERGE,
              compaction -> (level, key, value) -> {
                if (ends.get()) {
                  way.endHere();
                }
                return CompactionFilter.Decision.KEEP;
              });
    }
    return new CoreStore(RocksDb.at(folder).defaults(options).open());
  }

  @Override
  public void put(byte[] key, byte[] value) {
    db.put(key, value);
  }

  @Override
  public void get(byte[] key) {
    db.get(key);
  }

  @Override
  public void flush() {
    db.flush(FlushOptions.defaults().waitForFlush(false));
  }

  @Override
  public void callBack() {
    db.merge(MERGED, MERGED);
    db.get(MERGED);
  }

  @Override
  public void close() {
    db.close();
  }
}
