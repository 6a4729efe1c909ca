/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.rocksdbffm.internal.foreign.Memory.allocate;
import static org.rocksdbffm.internal.foreign.Memory.free;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rocksdbffm.internal.c.rocksdb_ffm_value;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Padded;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * The native memory that a call works in: room for a key and a value, and the cells where stubs and engine write what
 * they found. It lies outside of the heap, at one address for as long as the object lives; a key or a value that is
 * larger has memory of its own until the call is given back. One thread at a time.
 */
public abstract class CallMemory extends Padded {
  private static final int KEY_ROOM = 1 << 10;

  public static final int VALUE_ROOM = 16 << 10;

  private static final int CELLS = 64;
  private static final int ERROR = 32;
  private static final int SIZE_CELL = 40;
  private static final int FOUND = 48;
  private static final int WORDS = 64;
  private static final int READER = 64;
  private static final int ROOMS = CELLS + WORDS + READER;
  private static final int DATA = (int) rocksdb_ffm_value.data$offset();
  private static final int SIZE = (int) rocksdb_ffm_value.size$offset();
  private static final int PIN = (int) rocksdb_ffm_value.pin$offset();
  private static final int MESSAGE = (int) rocksdb_ffm_value.error$offset();
  private static final long MAX_KEY_SIZE = Integer.MAX_VALUE;

  /** Where a stub writes what it found. */
  public final MemorySegment result;

  /** An error message of the engine's, NULL between calls. */
  public final MemorySegment error;

  /** Where the engine writes a size, and whether it found something. */
  public final MemorySegment sizeCell;

  public final MemorySegment found;

  /** Room for a struct that tells a stub what to read. */
  public final MemorySegment reader;

  // The segment in which all that follows lies: gone with this object, which is gone with its class loader.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final MemorySegment collected;

  private final MemorySegment memory;
  private final long address;

  // The cells and words by another way: an access to a segment is some thirty methods of the JDK's, which the compilers
  // copy to each place that has one, and an access to a buffer is five.
  private final ByteBuffer cells;
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

  CallMemory() {
    collected = Arena.ofAuto().allocate(ROOMS + KEY_ROOM + VALUE_ROOM);
    address = collected.address();
    memory = Memory.at(address, collected.byteSize());
    cells = memory.asSlice(0, ROOMS).asByteBuffer().order(ByteOrder.nativeOrder());
    result = memory.asSlice(0, rocksdb_ffm_value.sizeof());
    error = memory.asSlice(ERROR, 8);
    sizeCell = memory.asSlice(SIZE_CELL, 8);
    found = memory.asSlice(FOUND, 8);
    reader = memory.asSlice(CELLS + WORDS, READER);
    keyRoom = memory.asSlice(ROOMS, KEY_ROOM);
    keyBuffer = keyRoom.asByteBuffer().order(ByteOrder.nativeOrder());
    valueRoom = memory.asSlice(ROOMS + KEY_ROOM, VALUE_ROOM);
    valueBuffer = valueRoom.asByteBuffer().order(ByteOrder.nativeOrder());
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

  /** Whether a key or a value has memory of its own. */
  final boolean hasOverflowed() {
    return overflowed;
  }

  final void freeOverflow() {
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
    return cells.getLong(DATA);
  }

  /** How many bytes the value has that a read found. */
  public long size() {
    return cells.getLong(SIZE);
  }

  /** The engine's pin of the value that a read found; 0 if there is none. */
  public long pin() {
    return cells.getLong(PIN);
  }

  /** The message of a read that failed, which the caller takes; 0 if there was no room to say why. */
  public long message() {
    return cells.getLong(MESSAGE);
  }

  /** Describes a value, in place of a stub that read one. */
  public void describe(long pin, long data, long size) {
    cells.putLong(PIN, pin);
    cells.putLong(DATA, data);
    cells.putLong(SIZE, size);
  }

  /** Whether the engine has left a message in {@link #error}. */
  public boolean hasFailed() {
    return cells.getLong(ERROR) != 0;
  }

  /** The number in {@link #sizeCell}. */
  public long sizeInCell() {
    return cells.getLong(SIZE_CELL);
  }

  /** Sets one of a few words, for structs that a call makes for itself, and returns its address. */
  public long word(int index, long value) {
    int place = CELLS + index * Long.BYTES;
    cells.putLong(place, value);
    return address + place;
  }

  /** A word of {@link #reader}, which keeps what an earlier call has written. */
  public long readerWord(int index) {
    return cells.getLong(CELLS + WORDS + index * Long.BYTES);
  }

  public void readerWord(int index, long value) {
    cells.putLong(CELLS + WORDS + index * Long.BYTES, value);
  }

  /** Where {@link #reader} is. */
  public long readerAddress() {
    return address + CELLS + WORDS;
  }

  /** Where {@link #result} is, which comes first. */
  public long resultAddress() {
    return address;
  }

  /** Where {@link #VALUE_ROOM} bytes are free for a value. */
  public long valueRoomAddress() {
    return address + ROOMS + KEY_ROOM;
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
    if (length <= KEY_ROOM && key == keyRoom) {
      Memory.copyToStart(bytes, offset, length, keyBuffer);
    } else {
      Memory.copy(bytes, offset, length, keyAddress);
    }
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
    if (value == valueRoom) {
      Memory.copyToStart(bytes, offset, length, valueBuffer);
    } else {
      Memory.copy(bytes, offset, length, value, 0);
    }
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

  /** The value that a read found, as a new array. */
  public byte[] toArray() {
    long size = size();
    long data = address();
    if (data != valueRoomAddress() || size > VALUE_ROOM) {
      return Memory.toArray(data, size);
    }
    byte[] bytes = new byte[(int) size];
    Memory.copyFromStart(valueBuffer, bytes, 0, bytes.length);
    return bytes;
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
