/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * Functions that many a program comes to in its first second, linked as the one kind that {@link HotCalls} has, of six
 * words and one that is returned: for another kind the JDK makes a dozen classes. For memory that the caller keeps alive
 * itself.
 */
public final class WordCalls {
  private static final long NOTHING = 0;

  private WordCalls() {}

  /** See {@link RocksDbC#rocksdb_transaction_begin}. */
  public static long beginTransaction(long db, long writeOptions, long options, long old) {
    try {
      return (long) BeginTransaction.HANDLE.invokeExact(db, writeOptions, options, old, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_optimistictransaction_begin}. */
  public static long beginOptimisticTransaction(long db, long writeOptions, long options, long old) {
    try {
      return (long) BeginOptimisticTransaction.HANDLE.invokeExact(db, writeOptions, options, old, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_transaction_commit}. */
  public static void commit(long transaction, long error) {
    try {
      long ignored = (long) Commit.HANDLE.invokeExact(transaction, error, NOTHING, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_create_iterator_cf}. */
  public static long createIterator(long db, long options, long family) {
    try {
      return (long) CreateIterator.HANDLE.invokeExact(db, options, family, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_transaction_create_iterator_cf}. */
  public static long createIteratorOfTransaction(long transaction, long options, long family) {
    try {
      return (long) CreateIteratorOfTransaction.HANDLE.invokeExact(transaction, options, family, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_readoptions_set_iterate_lower_bound}. */
  public static void setLowerBound(long options, long key, long size) {
    try {
      long ignored = (long) SetLowerBound.HANDLE.invokeExact(options, key, size, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_readoptions_set_iterate_upper_bound}. */
  public static void setUpperBound(long options, long key, long size) {
    try {
      long ignored = (long) SetUpperBound.HANDLE.invokeExact(options, key, size, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_column_family_handle_get_id}. */
  public static int familyId(long family) {
    try {
      return (int) (long) FamilyId.HANDLE.invokeExact(family, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_write}. */
  public static int write(long writer, long batch, long error) {
    try {
      return (int) (long) Write.HANDLE.invokeExact(writer, batch, error, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_writebatch_wi_data}. */
  static long writtenBytes(long indexedBatch, long size) {
    try {
      return (long) WrittenBytesOfBatch.HANDLE.invokeExact(indexedBatch, size, NOTHING, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw HotCalls.rethrown(e);
    }
  }

  // Each in a class of its own, so that a program links what it calls.

  /** The handle of a transaction's begin. */
  static final class BeginTransaction {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_transaction_begin", HotCalls.WORDS);

    private BeginTransaction() {}
  }

  /** The handle of the begin of one that locks nothing. */
  static final class BeginOptimisticTransaction {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_optimistictransaction_begin", HotCalls.WORDS);

    private BeginOptimisticTransaction() {}
  }

  /** The handle of a transaction's commit. */
  static final class Commit {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_transaction_commit", HotCalls.WORDS);

    private Commit() {}
  }

  /** The handle of an iterator's making. */
  static final class CreateIterator {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_create_iterator_cf", HotCalls.WORDS);

    private CreateIterator() {}
  }

  /** The handle of the making of one that sees a transaction's writes. */
  static final class CreateIteratorOfTransaction {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_transaction_create_iterator_cf", HotCalls.WORDS);

    private CreateIteratorOfTransaction() {}
  }

  /** The handle that sets where a range begins. */
  static final class SetLowerBound {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_readoptions_set_iterate_lower_bound", HotCalls.WORDS);

    private SetLowerBound() {}
  }

  /** The handle that sets where a range ends. */
  static final class SetUpperBound {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_readoptions_set_iterate_upper_bound", HotCalls.WORDS);

    private SetUpperBound() {}
  }

  /** The handle of a column family's number. */
  static final class FamilyId {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_column_family_handle_get_id", HotCalls.WORDS);

    private FamilyId() {}
  }

  /** The handle of the writing of a batch. */
  static final class Write {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_write", HotCalls.WORDS);

    private Write() {}
  }

  /** The handle that tells where an indexed batch has its bytes. */
  static final class WrittenBytesOfBatch {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_writebatch_wi_data", HotCalls.WORDS);

    private WrittenBytesOfBatch() {}
  }
}
