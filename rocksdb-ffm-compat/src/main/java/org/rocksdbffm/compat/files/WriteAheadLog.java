/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.LogFile;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionLogIterator;
import org.rocksdbffm.compat.support.Constructor;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Wrappers;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** The files of the WAL, and the batches in them. */
public final class WriteAheadLog {
  private static final Constructor<LogFile> LOG_FILE =
      new Constructor<>(LogFile.class, String.class, long.class, byte.class, long.class, long.class);

  /** The states of iterators that the engine does not report, because some calls would crash in them. */
  private static final ConcurrentHashMap<Long, Place> PLACES = new ConcurrentHashMap<>();

  private WriteAheadLog() {}

  private enum Place {
    /** The WAL was empty when the iterator was created. The iterator will not find later files. */
    WITHOUT_LOG,
    /** In a file, or at the end of the WAL, which may grow. */
    IN_LOG,
    /** On a batch that was returned already. */
    BATCH_TAKEN
  }

  public static LogFile[] files(long db) throws RocksDBException {
    Call call = Scratch.enter();
    long files;
    try {
      files = rocksdb_get_sorted_wal_files(Scratch.wrap(call, 0, db), Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
    try {
      LogFile[] all = new LogFile[Math.toIntExact(rocksdb_wal_files_count(files))];
      for (int i = 0; i < all.length; i++) {
        all[i] = file(rocksdb_wal_files_get_wal_file(files, i));
      }
      return all;
    } finally {
      rocksdb_wal_files_destroy(files);
    }
  }

  private static LogFile file(long file) {
    return LOG_FILE.make(
        Memory.string(rocksdb_wal_file_path_name(file)),
        rocksdb_wal_file_log_number(file),
        (byte) rocksdb_wal_file_type(file),
        rocksdb_wal_file_start_sequence(file),
        rocksdb_wal_file_size_file_bytes(file));
  }

  public static long since(long db, long sequenceNumber) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long iterator =
          rocksdb_get_updates_since(Scratch.wrap(call, 0, db), sequenceNumber, 0, Scratch.error(call));
      Scratch.check(call);
      long pointer = Wrappers.keep(iterator);
      PLACES.put(pointer, rocksdb_wal_iter_valid(iterator) ? Place.IN_LOG : Place.WITHOUT_LOG);
      return pointer;
    } finally {
      call.exit();
    }
  }

  public static void disposeIterator(long iterator) {
    PLACES.remove(iterator);
    rocksdb_wal_iter_destroy(Wrappers.take(iterator));
  }

  /** Moves to the next batch, including batches written after the iterator reached the end of the WAL. */
  public static void next(long iterator) {
    if (PLACES.replace(iterator, Place.BATCH_TAKEN, Place.IN_LOG) || PLACES.get(iterator) == Place.IN_LOG) {
      Call call = Scratch.enter();
      try {
        rocksdb_wal_iter_next(Scratch.wrap(call, 0, iterator));
      } finally {
        call.exit();
      }
    }
  }

  /** Returns the iterator's batch, which the result owns. The engine returns each batch only once. */
  public static TransactionLogIterator.BatchResult batch(long iterator) {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, iterator);
      if (!rocksdb_wal_iter_valid(wrapper)) {
        throw new IllegalStateException("the iterator is not on a batch: ask isValid() first");
      }
      if (!PLACES.replace(iterator, Place.IN_LOG, Place.BATCH_TAKEN)) {
        throw new IllegalStateException("the batch was taken from the iterator already: go to the next()");
      }
      long batch = rocksdb_wal_iter_get_batch(wrapper, call.sizeCell.address());
      return new TransactionLogIterator.BatchResult(call.sizeInCell(), batch);
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_get_sorted_wal_files(long db, long error);

  private static native long rocksdb_wal_files_count(long files);

  private static native long rocksdb_wal_files_get_wal_file(long files, long index);

  private static native void rocksdb_wal_files_destroy(long files);

  private static native long rocksdb_wal_file_path_name(long file);

  private static native long rocksdb_wal_file_log_number(long file);

  private static native int rocksdb_wal_file_type(long file);

  private static native long rocksdb_wal_file_start_sequence(long file);

  private static native long rocksdb_wal_file_size_file_bytes(long file);

  private static native long rocksdb_get_updates_since(long db, long sequenceNumber, long options, long error);

  private static native void rocksdb_wal_iter_destroy(long iterator);

  private static native boolean rocksdb_wal_iter_valid(long iterator);

  private static native void rocksdb_wal_iter_next(long iterator);

  private static native long rocksdb_wal_iter_get_batch(long iterator, long sequenceNumber);
}
