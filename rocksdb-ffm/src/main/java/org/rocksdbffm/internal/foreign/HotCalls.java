/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The functions that programs call most, linked so that a pointer is a number. For memory that the caller keeps alive
 * itself: the linker looks at three objects for each segment that it is given, which by then are in no near cache.
 *
 * <p>All but the releases are linked as one kind, of six words and one that is returned: the JDK needs milliseconds for
 * each kind, and most other functions are of this one, {@link WordCalls} too. Words come and go in registers on every
 * platform that has a native jar, and a function looks at those, and at that part of each, that it knows of. A release,
 * with five words more than it takes, would make a pinned get slower.
 */
public final class HotCalls {
  static final MethodType WORDS =
      methodType(long.class, long.class, long.class, long.class, long.class, long.class, long.class);

  private static final long NOTHING = 0;

  private HotCalls() {}

  /**
   * Links what a call may come to with little stack left: a class that cannot be initialized for want of stack stays
   * unusable. In a moment, because the kinds of functions are known by then.
   */
  public static void linkAll() {
    List<MethodHandle> all =
        List.of(
            Allocate.HANDLE, Free.HANDLE, Get.HANDLE, GetInto.HANDLE, Scan.HANDLE, Change.HANDLE, Release.HANDLE);
    for (MethodHandle linked : all) {
      Objects.requireNonNull(linked);
    }
  }

  static RuntimeException rethrown(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    throw new AssertionError(thrown);
  }

  /** See {@link RocksDbC#rocksdb_ffm_allocate}. */
  static long allocate(long size) {
    try {
      return (long) Allocate.HANDLE.invokeExact(size, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_get}. */
  public static int get(long reader, long key, long keySize, long buffer, long capacity, long value) {
    try {
      return (int) (long) Get.HANDLE.invokeExact(reader, key, keySize, buffer, capacity, value);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_get_into}. */
  public static int getInto(long reader, long key, long keySize, long buffer, long capacity, long value) {
    try {
      return (int) (long) GetInto.HANDLE.invokeExact(reader, key, keySize, buffer, capacity, value);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_get_for_update}. */
  public static int getForUpdate(long reader, long key, long keySize, long buffer, long capacity, long value) {
    try {
      return (int) (long) GetForUpdate.HANDLE.invokeExact(reader, key, keySize, buffer, capacity, value);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_get_to_share}. */
  public static int getToShare(long reader, long key, long keySize, long buffer, long capacity, long value) {
    try {
      return (int) (long) GetToShare.HANDLE.invokeExact(reader, key, keySize, buffer, capacity, value);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_scan}. */
  public static long scan(long cursor, int move, long target, long targetSize, long rowLimit, int backward) {
    try {
      return (long) Scan.HANDLE.invokeExact(cursor, (long) move, target, targetSize, rowLimit, (long) backward);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_change}. */
  public static int change(long writer, long key, long kindAndKeySize, long value, long valueSize, long error) {
    try {
      return (int) (long) Change.HANDLE.invokeExact(writer, key, kindAndKeySize, value, valueSize, error);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_transaction_change}. */
  public static int changeInTransaction(
      long reader, long key, long kindAndKeySize, long value, long valueSize, long error) {
    try {
      return (int) (long) TransactionChange.HANDLE.invokeExact(reader, key, kindAndKeySize, value, valueSize, error);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_batch_change}. */
  public static int changeInBatch(
      long reader, long key, long kindAndKeySize, long value, long valueSize, long error) {
    try {
      return (int) (long) BatchChange.HANDLE.invokeExact(reader, key, kindAndKeySize, value, valueSize, error);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** Lets go of what a get has pinned. */
  public static void release(long pin) {
    try {
      Release.HANDLE.invokeExact(pin);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_ffm_free}. */
  static void free(long address) {
    try {
      Free.HANDLE.invokeExact(address);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /** See {@link RocksDbC#rocksdb_transaction_destroy}; makes no object, so that a full heap leaves no locks behind. */
  public static void destroyTransaction(long transaction) {
    try {
      DestroyTransaction.HANDLE.invokeExact(transaction);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  // Each in a class of its own, so that a program links what it calls. By name, because to ask the bindings for the
  // address is to link the function there as well, which every program would wait for at its first get.

  /** An allocation's handle. */
  static final class Allocate {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_allocate", WORDS);

    private Allocate() {}
  }

  /** A get's handle. */
  static final class Get {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_get", WORDS);

    private Get() {}
  }

  /** The handle of a get that copies. */
  static final class GetInto {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_get_into", WORDS);

    private GetInto() {}
  }

  /** The handle of a get that locks. */
  static final class GetForUpdate {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_get_for_update", WORDS);

    private GetForUpdate() {}
  }

  /** The handle of a get that locks against writes alone. */
  static final class GetToShare {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_get_to_share", WORDS);

    private GetToShare() {}
  }

  /** The handle of a step of a scan. */
  static final class Scan {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_scan", WORDS);

    private Scan() {}
  }

  /** A change's handle. */
  static final class Change {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_change", WORDS);

    private Change() {}
  }

  /** The handle of a change within a transaction. */
  static final class TransactionChange {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_transaction_change", WORDS);

    private TransactionChange() {}
  }

  /** The handle of a change of a batch with an index. */
  static final class BatchChange {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_batch_change", WORDS);

    private BatchChange() {}
  }

  /** A release's handle. */
  static final class Release {
    static final MethodHandle HANDLE =
        Downcalls.link("rocksdb_pinnableslice_destroy", methodType(void.class, long.class));

    private Release() {}
  }

  /** The handle that gives memory back. */
  static final class Free {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_ffm_free", methodType(void.class, long.class));

    private Free() {}
  }

  /** The handle of a transaction's end. */
  static final class DestroyTransaction {
    static final MethodHandle HANDLE = Downcalls.link("rocksdb_transaction_destroy", methodType(void.class, long.class));

    private DestroyTransaction() {}
  }
}
