/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The few functions that are linked without a transition of the thread's state: each only reads a word
 * or two, never blocks and never calls back. A thread in such a function holds up the garbage collector,
 * so whatever may read a file, wait for a lock or run a user's code does not belong here.
 */
final class Critical {
  private static final MethodHandle LATEST_SEQUENCE_NUMBER =
      link(
          RocksDbC.rocksdb_get_latest_sequence_number$address(),
          RocksDbC.rocksdb_get_latest_sequence_number$descriptor());
  private static final MethodHandle SNAPSHOT_SEQUENCE_NUMBER =
      link(
          RocksDbC.rocksdb_snapshot_get_sequence_number$address(),
          RocksDbC.rocksdb_snapshot_get_sequence_number$descriptor());

  private static final MethodHandle STACK_LEFT =
      link(RocksDbC.rocksdb_ffm_stack_left$address(), RocksDbC.rocksdb_ffm_stack_left$descriptor());

  private Critical() {}

  static long stackLeft() {
    try {
      return (long) STACK_LEFT.invokeExact();
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle link(MemorySegment address, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(address, descriptor, Linker.Option.critical(false));
  }

  static long latestSequenceNumber(MemorySegment db) {
    try {
      return (long) LATEST_SEQUENCE_NUMBER.invokeExact(db);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static long snapshotSequenceNumber(MemorySegment snapshot) {
    try {
      return (long) SNAPSHOT_SEQUENCE_NUMBER.invokeExact(snapshot);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
