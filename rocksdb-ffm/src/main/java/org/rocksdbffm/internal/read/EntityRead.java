/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.EntityCalls;
import org.rocksdbffm.internal.foreign.Memory;

/** Reads entities and merge operands, with one call to the C++ stubs. Each method exits its call. */
public final class EntityRead {
  private static final int WORDS_OF_KEYS = 7; // of a rocksdb_ffm_cxx_keys

  private EntityRead() {}

  /** Whether many keys can be read together: without locks. */
  public static boolean isTogether(ReadPath path) {
    return path.entitySource() <= EntityCalls.OF_TRANSACTION;
  }

  /** Pins the columns of the call's key; null if it is missing. */
  public static NativeColumns pin(ReadPath path, Call call) {
    try {
      path.lock(call, path.family(), call.keyAddress(), call.keySize());
      long entity =
          read(
              path,
              call,
              reader -> EntityCalls.read(reader, path.entitySource(), call.keyAddress(), call.keySize(), error(call)));
      return entity == 0 ? null : NativeColumns.pin(path.family(), entity);
    } finally {
      call.exit();
    }
  }

  /** Returns copies of the base value and the operands of the call's key, oldest first; empty if it is missing. */
  public static List<byte[]> operands(ReadPath path, Call call) {
    try {
      long read =
          read(path, call, reader -> EntityCalls.operands(reader, call.keyAddress(), call.keySize(), error(call)));
      List<byte[]> operands = new ArrayList<>();
      if (read != 0) {
        NativeColumns columns = NativeColumns.pin(path.family(), read);
        try {
          for (int i = 0; i < columns.count(); i++) {
            operands.add(columns.valueBytes(i));
          }
        } finally {
          columns.release();
        }
      }
      return operands;
    } finally {
      call.exit();
    }
  }

  /** Pins the columns of many keys, read together without locks; null for missing keys. Exits the call. */
  public static List<NativeColumns> pinAll(ReadPath path, Call call, List<byte[]> keys) {
    List<NativeColumns> pinned = new ArrayList<>(keys.size());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment slices = arena.allocate(ValueLayout.JAVA_LONG, 2L * Math.max(1, keys.size()));
      MemorySegment entities = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, keys.size()));
      for (int i = 0; i < keys.size(); i++) {
        slices.setAtIndex(ValueLayout.JAVA_LONG, 2 * i, Memory.string(keys.get(i), arena).address());
        slices.setAtIndex(ValueLayout.JAVA_LONG, 2 * i + 1, keys.get(i).length);
      }
      MemorySegment all = arena.allocate(ValueLayout.JAVA_LONG, WORDS_OF_KEYS);
      all.setAtIndex(ValueLayout.JAVA_LONG, 1, slices.address());
      all.setAtIndex(ValueLayout.JAVA_LONG, 2, keys.size());
      read(
          path,
          call,
          reader -> {
            EntityCalls.readAll(reader, path.entitySource(), all.address(), entities.address(), error(call));
            return 0;
          });
      try {
        for (int i = 0; i < keys.size(); i++) {
          long entity = entities.getAtIndex(ValueLayout.JAVA_LONG, i);
          entities.setAtIndex(ValueLayout.JAVA_LONG, i, 0);
          pinned.add(entity == 0 ? null : NativeColumns.pin(path.family(), entity));
        }
        return pinned;
      } catch (Throwable e) {
        for (int i = 0; i < keys.size(); i++) {
          long entity = entities.getAtIndex(ValueLayout.JAVA_LONG, i);
          if (entity != 0) {
            EntityCalls.destroy(entity);
          }
        }
        pinned.forEach(EntityRead::releaseIfPresent);
        throw e;
      }
    } finally {
      call.exit();
    }
  }

  private static void releaseIfPresent(NativeColumns columns) {
    if (columns != null) {
      columns.release();
    }
  }

  private static long error(Call call) {
    return call.error.address();
  }

  /** Runs a read with the address of the path's reader; throws if the read fails. */
  private static long read(ReadPath path, Call call, LongUnaryOperator read) {
    ReadPath lent = path.lend(call);
    long result;
    try {
      result = read.applyAsLong(lent.reader(call).address());
    } finally {
      Reference.reachabilityFence(lent);
      path.takeBack(lent);
    }
    path.requireNoError(call);
    try {
      path.database().requireSound();
    } catch (Throwable e) {
      if (result != 0) {
        EntityCalls.destroy(result);
      }
      throw e;
    }
    return result;
  }
}
