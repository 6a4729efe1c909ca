/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.nio.file.Path;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;

/** A service with this library: values are pinned, and stay in the cache while they are held. */
final class FfmService implements Service {
  private final MemoryBudget budget = MemoryBudget.of(ByteSize.bytes(CACHE_BYTES));
  private final RocksDb db;

  FfmService(Path folder) {
    TableOptions table = TableOptions.defaults().filter(TableFilter.bloom(FILTER_BITS));
    DatabaseOptions database =
        DatabaseOptions.defaults()
            .memoryBudget(budget)
            .maxBackgroundJobs(BACKGROUND_JOBS)
            .maxOpenFiles(OPEN_FILES)
            .option("keep_log_file_num", INFO_LOGS);
    FamilyOptions families = FamilyOptions.defaults().table(table).writeBufferSize(ByteSize.bytes(WRITE_BUFFER_BYTES));
    db = RocksDb.at(folder).options(database).defaults(families).open();
  }

  @Override
  public void put(byte[] key, byte[] value) {
    db.put(key, value);
  }

  @Override
  public Held get(byte[] key) {
    PinnedValue value = db.getPinned(key);
    return value == null ? null : new Pinned(value);
  }

  @Override
  public Rows rows(byte[] from) {
    Cursor cursor = db.cursor(KeyRange.all());
    cursor.seek(from);
    return new CursorRows(cursor);
  }

  @Override
  public void close() {
    db.close();
    budget.close();
  }

  private record Pinned(PinnedValue value) implements Held {
    @Override
    public long size() {
      return value.size();
    }

    @Override
    public void close() {
      value.close();
    }
  }

  private record CursorRows(Cursor cursor) implements Rows {
    @Override
    public boolean next() {
      return cursor.hasRow() && cursor.valueSize() >= 0 && cursor.next();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
