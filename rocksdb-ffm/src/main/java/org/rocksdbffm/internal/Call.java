/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import static org.rocksdbffm.internal.Memory.allocate;
import static org.rocksdbffm.internal.Memory.free;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;

/**
 * A call in flight: the native memory it works in, and the announcement of what it uses.
 *
 * <p>The calls of a process are a table that grows to the largest number of calls ever in flight at
 * once. Entering takes one that is free by a single compare-and-set, which at the same moment says to
 * everybody which handle is in use; leaving is a plain release store. So the guard against use after
 * close and the scratch memory cost one atomic instruction together, threads do not meet on a shared
 * counter, and a million virtual threads share a few calls.
 *
 * <p>Between {@link #enter} and {@link #exit} the call <em>owns</em> its memory; nothing that lies in it
 * may be looked at afterwards. No code of the user's runs in between.
 */
public final class Call {
  /** Keys and values up to these sizes need no allocation. */
  private static final int KEY_ROOM = 1 << 10;

  static final int VALUE_ROOM = 16 << 10;

  private static final int CELLS = 64;
  private static final long MAX_KEY_SIZE = Integer.MAX_VALUE;
  private static final int FIRST_TABLE =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4);
  private static final int MAX_PROBES = 16;

  private static final VarHandle USED;
  private static final VarHandle FAMILY;
  private static final VarHandle SNAPSHOT;

  static {
    try {
      var lookup = MethodHandles.lookup();
      USED = lookup.findVarHandle(Call.class, "used", long.class);
      FAMILY = lookup.findVarHandle(Call.class, "family", long.class);
      SNAPSHOT = lookup.findVarHandle(Call.class, "snapshot", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static volatile Call[] table = tableOf(new Call[0], Math.max(8, FIRST_TABLE));

  // Ids of handles; 0 for none. What is not 0 cannot be destroyed.
  private volatile long used;
  private long family;
  private long snapshot;

  /** Where a stub writes what it found. */
  final MemorySegment result;

  /** An error message of the engine's, NULL between calls. */
  final MemorySegment error;

  /** Where the engine writes a size, and whether it found something. */
  final MemorySegment sizeCell;

  final MemorySegment found;

  private final MemorySegment keyRoom;
  private final MemorySegment valueRoom;
  private MemorySegment key;
  private long keySize;
  private MemorySegment value;
  private boolean overflowed;

  // Keeps the next object of the table off this one's cache line.
  @SuppressWarnings("unused")
  private long padding0, padding1, padding2, padding3, padding4, padding5, padding6;

  private Call() {
    MemorySegment memory = allocate(CELLS + KEY_ROOM + VALUE_ROOM);
    MemorySegment cells = memory.asSlice(0, CELLS).fill((byte) 0);
    result = cells.asSlice(0, rocksdb_ffm_value.sizeof());
    error = cells.asSlice(32, 8);
    sizeCell = cells.asSlice(40, 8);
    found = cells.asSlice(48, 8);
    keyRoom = memory.asSlice(CELLS, KEY_ROOM);
    valueRoom = memory.asSlice(CELLS + KEY_ROOM, VALUE_ROOM);
    key = keyRoom;
    value = valueRoom;
  }

  /** Takes a call that uses the handle, or throws because the handle is closed. */
  public static Call enter(Handle handle) {
    Call call = take(handle.id);
    if (handle.isClosed()) {
      call.exit();
      throw handle.closedException();
    }
    return call;
  }

  private static Call take(long id) {
    Call[] calls = table;
    int first = (int) Thread.currentThread().threadId();
    for (int probe = 0; probe < MAX_PROBES; probe++) {
      Call call = calls[(first + probe) & (calls.length - 1)];
      if (call.used == 0 && USED.compareAndSet(call, 0L, id)) {
        return call;
      }
    }
    return takeFromLargerTable(id, calls.length);
  }

  private static Call takeFromLargerTable(long id, int fullLength) {
    synchronized (Call.class) {
      if (table.length == fullLength) {
        table = tableOf(table, fullLength * 2);
      }
    }
    return take(id);
  }

  private static Call[] tableOf(Call[] calls, int length) {
    Call[] larger = java.util.Arrays.copyOf(calls, length);
    for (int i = calls.length; i < length; i++) {
      larger[i] = new Call();
    }
    return larger;
  }

  /** Whether any call in flight uses the handle with this id. */
  static boolean anyUses(long id) {
    for (Call call : table) {
      long used = call.used;
      if (used == id
          || used != 0 && ((long) FAMILY.getOpaque(call) == id || (long) SNAPSHOT.getOpaque(call) == id)) {
        return true;
      }
    }
    return false;
  }

  /** Uses two handles more, each of which may be null; leaves the call and throws if one is closed. */
  void alsoUse(Handle family, Handle snapshot) {
    FAMILY.setOpaque(this, family == null ? 0L : family.id);
    SNAPSHOT.setOpaque(this, snapshot == null ? 0L : snapshot.id);
    VarHandle.fullFence();
    if (family != null && family.isClosed()) {
      exit();
      throw family.closedException();
    }
    if (snapshot != null && snapshot.isClosed()) {
      exit();
      throw snapshot.closedException();
    }
  }

  /** Gives the call back, with all that it holds. */
  public void exit() {
    if (overflowed) {
      freeOverflow();
    }
    if (family != 0 || snapshot != 0) {
      FAMILY.setOpaque(this, 0L);
      SNAPSHOT.setOpaque(this, 0L);
    }
    USED.setRelease(this, 0L);
  }

  private void freeOverflow() {
    overflowed = false;
    if (key != keyRoom) {
      free(key);
      key = keyRoom;
    }
    if (value != valueRoom) {
      free(value);
      value = valueRoom;
    }
  }

  /** Where the value is that a read found. */
  public long address() {
    return Memory.pointer(result, rocksdb_ffm_value.data$offset());
  }

  /** How many bytes the value has that a read found. */
  public long size() {
    return Memory.pointer(result, rocksdb_ffm_value.size$offset());
  }

  /** The engine's pin of the value that a read found; 0 if there is none. */
  public long pin() {
    return Memory.pointer(result, rocksdb_ffm_value.pin$offset());
  }

  /** The key's bytes, of which {@link #keySize} count. */
  MemorySegment key() {
    return key;
  }

  long keySize() {
    return keySize;
  }

  /** The value's bytes; as many as {@link #reserveValue} asked for, or {@link #VALUE_ROOM}. */
  MemorySegment value() {
    return value;
  }

  public void copyKey(byte[] bytes) {
    reserveKey(bytes.length);
    MemorySegment.copy(bytes, 0, key, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  public void copyKey(MemorySegment bytes) {
    long size = bytes.byteSize();
    if (size > MAX_KEY_SIZE) {
      throw new IllegalArgumentException("key: " + size + " bytes, but a key has at most " + MAX_KEY_SIZE);
    }
    reserveKey(size);
    MemorySegment.copy(bytes, 0, key, 0, size);
  }

  private void reserveKey(long size) {
    keySize = size;
    if (size > KEY_ROOM) {
      key = allocate(size);
      overflowed = true;
    }
  }

  /** Copies a value of any kind of memory to where the engine may read it. */
  void copyValue(byte[] bytes) {
    reserveValue(bytes.length);
    MemorySegment.copy(bytes, 0, value, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  void copyValue(MemorySegment bytes) {
    reserveValue(bytes.byteSize());
    MemorySegment.copy(bytes, 0, value, 0, bytes.byteSize());
  }

  void reserveValue(long size) {
    if (size > VALUE_ROOM) {
      value = allocate(size);
      overflowed = true;
    }
  }
}
