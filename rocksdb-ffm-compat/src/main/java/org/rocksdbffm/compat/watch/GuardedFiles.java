/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.support.Encryption;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.files.ArchivedDatabase;
import org.rocksdbffm.internal.files.StorageInfo;
import org.rocksdbffm.internal.foreign.Memory;

/** The files of an open database. */
record GuardedFiles(Guard guard, String path) implements ArchivedDatabase {
  private interface Work<T> {
    T run(MemorySegment db, Arena arena, MemorySegment error);
  }

  private <T> T within(Work<T> work) {
    try (Call call = guard.enter();
        Arena arena = Arena.ofConfined()) {
      MemorySegment db = Memory.atAddress(Scratch.wrap(call, 0, guard.pointer()));
      T result = work.run(db, arena, call.error);
      Status.check(call.error, path);
      return result;
    }
  }

  @Override
  public String identity() {
    return within((db, arena, error) -> {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment text = RocksDbC.rocksdb_get_db_identity(db, size);
      if (text.address() == 0) {
        throw new IllegalStateException("the database has no identity");
      }
      byte[] bytes = Memory.toArray(text.address(), size.get(ValueLayout.JAVA_LONG, 0));
      RocksDbC.rocksdb_free(text);
      return new String(bytes, UTF_8);
    });
  }

  @Override
  public long latestSequenceNumber() {
    return within((db, arena, error) -> RocksDbC.rocksdb_get_latest_sequence_number(db));
  }

  @Override
  public void flushWal() {
    within((db, arena, error) -> {
      RocksDbC.rocksdb_flush_wal(db, (byte) 0, error);
      return null;
    });
  }

  @Override
  public End pauseDeletions() {
    within((db, arena, error) -> {
      RocksDbC.rocksdb_disable_file_deletions(db, error);
      return null;
    });
    AtomicBoolean isOver = new AtomicBoolean();
    return () -> {
      if (!isOver.getAndSet(true)) {
        endPause();
      }
    };
  }

  private void endPause() {
    try {
      within((db, arena, error) -> {
        RocksDbC.rocksdb_enable_file_deletions(db, error);
        return null;
      });
    } catch (IllegalStateException closed) {
      return; // with all pauses
    }
  }

  @Override
  public Hold hold(boolean flushFirst) {
    End end = pauseDeletions();
    try {
      List<StorageInfo.Entry> files =
          within((db, arena, error) -> StorageInfo.of(db, flushFirst, Encryption.keysOrNull(), arena, error));
      return new Hold(files, -1, end); // writes of JNI do not wait for the list
    } catch (Throwable e) {
      end.close();
      throw e;
    }
  }

  @Override
  public void resumeWork() {
    try {
      within((db, arena, error) -> {
        RocksDbC.rocksdb_continue_background_work(db, error);
        return null;
      });
    } catch (RocksDbException notPaused) {
      return;
    }
  }

  @Override
  public <T, E extends Throwable> T useKeys(ScopedValue.CallableOp<T, E> operation) throws E {
    return Encryption.isOn() ? Encryption.during(operation) : operation.call();
  }
}
