/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.rocksdbffm.internal.foreign.Memory.allocate;
import static org.rocksdbffm.internal.foreign.Memory.free;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Padded;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * A call in flight: the native memory it works in, and the announcement of the handles it uses.
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
public final class Call extends Padded {
  /** Keys and values up to these sizes need no allocation. */
  private static final int KEY_ROOM = 1 << 10;

  public static final int VALUE_ROOM = 16 << 10;

  private static final int CELLS = 64;
  private static final int WORDS = 64;
  private static final long DATA = rocksdb_ffm_value.data$offset();
  private static final long SIZE = rocksdb_ffm_value.size$offset();
  private static final long PIN = rocksdb_ffm_value.pin$offset();
  private static final long MAX_KEY_SIZE = Integer.MAX_VALUE;
  private static final int FIRST_TABLE =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4);
  private static final long NOBODY = -1;
  private static final int MAX_PROBES = 16;

  private static final VarHandle USED;
  private static final VarHandle FAMILY;
  private static final VarHandle SNAPSHOT;
  private static final VarHandle TURN;

  static {
    try {
      var lookup = MethodHandles.lookup();
      USED = lookup.findVarHandle(Call.class, "used", long.class);
      FAMILY = lookup.findVarHandle(Call.class, "family", long.class);
      SNAPSHOT = lookup.findVarHandle(Call.class, "snapshot", long.class);
      TURN = lookup.findVarHandle(Call.class, "turn", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    LiveObjects.CALLS_IN_FLIGHT.countBy(CallTable::inFlight);
  }

  // How far from the place of its number a thread begins to look. A thread that finds another there goes to the one that
  // it gets, and stays: two that shared a place would have each other's cache lines to wait for, at every call.
  private static final byte[] SHIFTS = new byte[1 << 10];

  private static volatile Call[] table = tableOf(new Call[0], Math.max(8, FIRST_TABLE));

  // Ids of handles; 0 for none. A handle whose id is here cannot be destroyed.
  private volatile long used;
  private long family;
  private long snapshot;

  // The thread that took this call: it counts while the turn is odd. For a closer that waits for a call in vain.
  private Thread owner;
  private long turn;

  // The other objects that the method of this call uses; set by the drop-in alone.
  private Object before;

  // The state of the random numbers of the thread that has the call; see isOneIn.
  private int chance;

  // When it began, while the Flight Recorder is on; otherwise 0.
  private long began;

  /** Where a stub writes what it found. */
  public final MemorySegment result;

  /** An error message of the engine's, NULL between calls. */
  public final MemorySegment error;

  /** Where the engine writes a size, and whether it found something. */
  public final MemorySegment sizeCell;

  public final MemorySegment found;

  /** A few words more, for structs that a call makes for itself. */
  public final MemorySegment words;

  // The segment in which all that follows lies: gone with this object, which is gone with its class loader.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final MemorySegment collected;

  private final MemorySegment memory;
  private final long address;
  private final MemorySegment keyRoom;
  private final ByteBuffer keyBuffer;
  private final MemorySegment valueRoom;
  private final ByteBuffer valueBuffer;
  private MemorySegment key;
  private long keyAddress;
  private long keyCapacity;
  private long keySize;
  private MemorySegment value;
  private boolean overflowed;

  private Call() {
    collected = Arena.ofAuto().allocate(CELLS + WORDS + KEY_ROOM + VALUE_ROOM);
    address = collected.address();
    memory = Memory.at(address, collected.byteSize());
    chance = (int) address;
    MemorySegment cells = memory.asSlice(0, CELLS);
    result = cells.asSlice(0, rocksdb_ffm_value.sizeof());
    error = cells.asSlice(32, 8);
    sizeCell = cells.asSlice(40, 8);
    found = cells.asSlice(48, 8);
    words = memory.asSlice(CELLS, WORDS);
    keyRoom = memory.asSlice(CELLS + WORDS, KEY_ROOM);
    keyBuffer = keyRoom.asByteBuffer();
    valueRoom = memory.asSlice(CELLS + WORDS + KEY_ROOM, VALUE_ROOM);
    valueBuffer = valueRoom.asByteBuffer();
    value = valueRoom;
    holdKeyIn(keyRoom);
  }

  private void holdKeyIn(MemorySegment room) {
    long address = room.address();
    long size = room.byteSize();
    key = room; // from here on nothing is called: a stack that ends half way would leave fields of two rooms
    keyAddress = address;
    keyCapacity = size;
  }

  /** Takes a call that uses the handle, or throws because the handle is closed. */
  public static Call enter(Handle handle) {
    if (Reentrance.isPossible()) {
      StackRoom.requireForCallbacks();
      Reentrance.requireOutside(handle);
    }
    Call call = take(handle.id);
    if (handle.isRefusing()) {
      call.exit();
      throw handle.closedException();
    }
    return call;
  }

  private static Call take(long id) {
    Call[] calls = table;
    Thread thread = Thread.currentThread();
    int number = (int) thread.threadId();
    int shift = SHIFTS[number & SHIFTS.length - 1];
    int first = number + shift;
    for (int probe = 0; probe < MAX_PROBES; probe++) {
      Call call = calls[(first + probe) & (calls.length - 1)];
      if (call.isTakenFor(id, thread)) {
        // Nothing is called from here on: a stack that ended would leave the call taken.
        if (probe != 0 && calls[first & (calls.length - 1)].owner != thread) {
          SHIFTS[number & SHIFTS.length - 1] = (byte) (shift + probe & Byte.MAX_VALUE);
        }
        return call;
      }
    }
    return takeAnywhere(id, thread);
  }

  /** Looks at all calls before it makes more: those nearby may be taken for long. */
  private static Call takeAnywhere(long id, Thread thread) {
    while (true) {
      Call[] calls = table;
      for (Call call : calls) {
        if (call.isTakenFor(id, thread)) {
          return call;
        }
      }
      synchronized (Call.class) {
        if (table.length == calls.length) {
          table = tableOf(calls, calls.length * 2);
        }
      }
    }
  }

  private boolean isTakenFor(long id, Thread thread) {
    if (used != 0 || !USED.compareAndSet(this, 0L, id)) {
      return false;
    }
    try {
      if (owner != thread) {
        owner = thread;
      }
      began = FlightRecords.begin();
      TURN.setRelease(this, turn + 1);
      return true;
    } catch (StackOverflowError e) {
      used = 0;
      throw e;
    }
  }

  private static Call[] tableOf(Call[] calls, int length) {
    Call[] larger = java.util.Arrays.copyOf(calls, length);
    for (int made = calls.length; made < length; made++) {
      larger[made] = new Call();
    }
    return larger;
  }

  /** All that there are; those made meanwhile are not among them. */
  static Call[] all() {
    return table;
  }

  boolean isInFlight() {
    return used != 0;
  }

  /** Whether it is in flight and uses the handle with this id. */
  boolean uses(long id) {
    long now = used;
    return now == id || now != 0 && ((long) FAMILY.getOpaque(this) == id || (long) SNAPSHOT.getOpaque(this) == id);
  }

  /** The thread that took it last. */
  Thread owner() {
    return owner;
  }

  /** Which one it was of all the times that it was taken; odd while it is. */
  long turn() {
    return (long) TURN.getAcquire(this);
  }

  /** Forgets the thread that took it last, unless it is taken now. */
  void forgetOwner() {
    if (USED.compareAndSet(this, 0L, NOBODY)) {
      owner = null;
      USED.setRelease(this, 0L);
    }
  }

  /** Uses two handles more, each of which may be null; leaves the call and throws if one is closed. */
  public void alsoUse(Handle family, Handle snapshot) {
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

  /** Uses one more handle, and throws if it is closed, but stays entered; false if the call has no room for it. */
  public boolean alsoUses(Handle more) {
    long id = more.id;
    if (uses(id)) {
      return true;
    }
    if (family == 0) {
      FAMILY.setOpaque(this, id);
    } else if (snapshot == 0) {
      SNAPSHOT.setOpaque(this, id);
    } else {
      return false;
    }
    VarHandle.fullFence();
    if (more.isClosed()) {
      throw more.closedException();
    }
    return true;
  }

  /** True by chance, once in so many times, a power of two. Takes less than the thread's own random numbers. */
  public boolean isOneIn(int many) {
    chance = chance * 1_664_525 + 1_013_904_223; // of such a generator the upper bits are the random ones
    return chance >>> Integer.numberOfLeadingZeros(many) + 1 == 0;
  }

  /** The other objects that the method of this call uses; see {@link #before(Object)}. */
  public Object before() {
    return before;
  }

  /** Sets the other objects that the method of this call uses, so that all of them are found from here. */
  public Call before(Object used) {
    before = used;
    return this;
  }

  /** Gives the call back, with all that it holds. */
  public void exit() {
    try {
      if (overflowed) {
        freeOverflow();
      }
      if (began != 0) {
        FlightRecords.ended(began);
      }
      if (family != 0 || snapshot != 0) {
        FAMILY.setOpaque(this, 0L);
        SNAPSHOT.setOpaque(this, 0L);
      }
      turn++;
      USED.setRelease(this, 0L);
    } catch (StackOverflowError e) {
      // Nothing below invokes anything, so it cannot fail. Memory that was not freed is freed at the next exit.
      family = 0;
      snapshot = 0;
      turn += turn & 1;
      used = 0;
    }
  }

  private void freeOverflow() {
    MemorySegment large = key;
    holdKeyIn(keyRoom);
    freeLarge(large, keyRoom);
    large = value;
    value = valueRoom;
    freeLarge(large, valueRoom);
    overflowed = false;
  }

  private static void freeLarge(MemorySegment memory, MemorySegment room) {
    if (memory != room) {
      LiveObjects.LARGE_BUFFERS.gone(memory.byteSize());
      free(memory);
    }
  }

  /** Where the value is that a read found. */
  public long address() {
    return Memory.longAt(address + DATA);
  }

  /** How many bytes the value has that a read found. */
  public long size() {
    return Memory.longAt(address + SIZE);
  }

  /** The engine's pin of the value that a read found; 0 if there is none. */
  public long pin() {
    return Memory.longAt(address + PIN);
  }

  /** Where {@link #result} is, which comes first. */
  public long resultAddress() {
    return address;
  }

  /** Where {@link #VALUE_ROOM} bytes are free for a value. */
  public long valueRoomAddress() {
    return address + CELLS + WORDS + KEY_ROOM;
  }

  /** The key's bytes, of which {@link #keySize} count. */
  public MemorySegment key() {
    return key;
  }

  public long keyAddress() {
    return keyAddress;
  }

  public long keySize() {
    return keySize;
  }

  /** The value's bytes; as many as {@link #reserveValue} asked for, or {@link #VALUE_ROOM}. */
  public MemorySegment value() {
    return value;
  }

  public void copyKey(byte[] bytes) {
    copyKey(bytes, 0, bytes.length);
  }

  public void copyKey(byte[] bytes, int offset, int length) {
    reserveKey(length);
    Memory.copy(bytes, offset, length, keyAddress);
  }

  public void copyKey(MemorySegment bytes) {
    long size = bytes.byteSize();
    if (size > MAX_KEY_SIZE) {
      throw new IllegalArgumentException("key: " + size + " bytes, but a key has at most " + MAX_KEY_SIZE);
    }
    reserveKey(size);
    MemorySegment.copy(bytes, 0, key, 0, size);
  }

  public void copyKey(ByteBuffer bytes) {
    copyKey(bytes, bytes.position(), bytes.remaining());
  }

  /** A part of a buffer, wherever its position is. */
  public void copyKey(ByteBuffer bytes, int offset, int length) {
    if (length > KEY_ROOM) {
      copyKey(MemorySegment.ofBuffer(bytes.duplicate().clear()).asSlice(offset, length));
      return;
    }
    // From buffer to buffer: a segment of the user's buffer would be an object, where the compiler fails to see it go.
    keyBuffer.put(0, bytes, offset, length);
    keySize = length;
  }

  private void reserveKey(long size) {
    keySize = size;
    if (size > keyCapacity) {
      MemorySegment smaller = key;
      holdKeyIn(allocate(size));
      overflowed = true;
      LiveObjects.LARGE_BUFFERS.made(size);
      freeLarge(smaller, keyRoom);
    }
  }

  /** Copies a value of any kind of memory to where the engine may read it. */
  public void copyValue(byte[] bytes) {
    copyValue(bytes, 0, bytes.length);
  }

  public void copyValue(byte[] bytes, int offset, int length) {
    reserveValue(length);
    Memory.copy(bytes, offset, length, value, 0);
  }

  public void copyValue(MemorySegment bytes) {
    reserveValue(bytes.byteSize());
    MemorySegment.copy(bytes, 0, value, 0, bytes.byteSize());
  }

  /** A part of a buffer, wherever its position is. */
  public void copyValue(ByteBuffer bytes, int offset, int length) {
    if (length > VALUE_ROOM) {
      copyValue(MemorySegment.ofBuffer(bytes.duplicate().clear()).asSlice(offset, length));
      return;
    }
    valueBuffer.put(0, bytes, offset, length);
  }

  /** Copies bytes to a place in the value's memory, which is large enough. */
  public void copyIntoValue(long place, byte[] bytes, int offset, int length) {
    Memory.copy(bytes, offset, length, value, place);
  }

  public void copyIntoValue(long place, ByteBuffer bytes, int offset, int length) {
    if (value == valueRoom) {
      valueBuffer.put((int) place, bytes, offset, length);
    } else {
      MemorySegment.copy(MemorySegment.ofBuffer(bytes.duplicate().clear()), offset, value, place, length);
    }
  }

  /** Copies the first bytes of the value's room into a buffer, wherever its position is. */
  public void copyFromRoom(ByteBuffer target, int offset, int length) {
    target.put(offset, valueBuffer, 0, length);
  }

  public void reserveValue(long size) {
    if (size > value.byteSize()) {
      MemorySegment smaller = value;
      value = allocate(size);
      overflowed = true;
      LiveObjects.LARGE_BUFFERS.made(size);
      freeLarge(smaller, valueRoom);
    }
  }
}
