/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.callback.RawMerge.Operands;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * A Java merge operator. <em>Owned</em> by the options that it is set in and the databases that are opened with them.
 * If the user's code throws or returns null, the engine reports corruption: the read or compaction fails, and nothing
 * is changed.
 */
@SuppressWarnings("unused") // the engine calls some of its methods
public final class NativeMergeOperator extends Callback {
  private static final MemorySegment MERGE = Upcalls.to(MethodHandles.lookup(), "mergeAll");
  private static final MemorySegment COMBINE = Upcalls.to(MethodHandles.lookup(), "mergeSome");

  private final RawMerge code;

  private NativeMergeOperator(String name, RawMerge code) {
    super("merge operator", name);
    this.code = code;
  }

  public static NativeMergeOperator setIn(MemorySegment options, String name, RawMerge code) {
    NativeMergeOperator operator = new NativeMergeOperator(name, code);
    RocksDbC.rocksdb_options_set_merge_operator(
        options,
        RocksDbC.rocksdb_mergeoperator_create(
            operator.state(), DESTROYED, MERGE, COMBINE, MemorySegment.NULL, NAME));
    return operator;
  }

  private static long mergeAll(
      long id, long key, long keySize, long value, long valueSize, long operands, long sizes, int count,
      long success, long newSize) {
    try {
      byte[] merged =
          ((NativeMergeOperator) at(id)).merge(key, keySize, value, valueSize, new Operands(operands, sizes, count));
      return answer(merged, success, newSize);
    } catch (Throwable e) {
      return answerNothing(success, newSize);
    }
  }

  private byte[] merge(long key, long keySize, long value, long valueSize, Operands operands) {
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      return code.merge(frame, key, keySize, value, valueSize, operands);
    } catch (Throwable e) {
      frame.threw(e);
      report(e, "the values of a key are not merged");
      return null;
    } finally {
      frame.exit();
    }
  }

  private static long mergeSome(
      long id, long key, long keySize, long operands, long sizes, int count, long success, long newSize) {
    try {
      return answer(
          ((NativeMergeOperator) at(id)).combine(key, keySize, new Operands(operands, sizes, count)), success, newSize);
    } catch (Throwable e) {
      return answerNothing(success, newSize);
    }
  }

  private byte[] combine(long key, long keySize, Operands operands) {
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      return code.combine(frame, key, keySize, operands);
    } catch (Throwable e) {
      report(e, "operands of a key are not combined");
      return null;
    } finally {
      frame.exit();
    }
  }

  /** Returns the value in memory that the engine frees. */
  private static long answer(byte[] value, long success, long newSize) {
    if (value == null) {
      return answerNothing(success, newSize);
    }
    MemorySegment memory = Memory.allocate(value.length);
    MemorySegment.copy(value, 0, memory, ValueLayout.JAVA_BYTE, 0, value.length);
    Memory.longTo(newSize, value.length);
    Memory.byteTo(success, (byte) 1);
    return memory.address();
  }

  /** Returns empty memory: the engine reads the result before it checks {@code success}. */
  private static long answerNothing(long success, long newSize) {
    Memory.longTo(newSize, 0);
    Memory.byteTo(success, (byte) 0);
    return Memory.allocate(0).address();
  }
}
