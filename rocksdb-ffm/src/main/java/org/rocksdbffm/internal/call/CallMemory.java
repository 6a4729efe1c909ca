/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.rocksdbffm.internal.foreign.Memory.allocate;
import static org.rocksdbffm.internal.foreign.Memory.free;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Padded;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * The native memory of a call: space for a key and a value, and the slots in which stubs and engine return results.
 * Off-heap, at a fixed address; a larger key or value gets separate memory until the call exits. Used by one thread at
 * a time.
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
  private static final int DATA = Structs.VALUE_DATA;
  private static final int SIZE = Structs.VALUE_SIZE;
  private static final int PIN = Structs.VALUE_PIN;
  private static final int MESSAGE = Structs.VALUE_ERROR;
  private static final long MAX_KEY_SIZE = Integer.MAX_VALUE;

  /** The slot in which a stub returns the result of a read. */
  public final MemorySegment result;

  /** The engine's error message; NULL between calls. */
  public final MemorySegment error;

  /** The slot in which the engine returns a size, and whether a key was found. */
  public final MemorySegment sizeCell;

  public final MemorySegment found;

  /** Space for a struct that describes a read to a stub. */
  public final MemorySegment reader;

  // The memory of all slices below: freed with this object, and so with its class loader.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final MemorySegment collected;

  private final MemorySegment memory;
  private final long address;

  // The slots and words as a buffer: an access to a segment is some thirty JDK methods, which compilers inline at each
  // use; an access to a buffer is five.
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
    result = memory.asSlice(0, Structs.SIZE_OF_VALUE);
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
    key = room; // no method calls from here on: a stack overflow would leave some fields on the old memory
    keyAddress = address;
    keyCapacity = size;
  }

  /** Whether a key or value has separate memory. */
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
      LiveObjects.LARGE_BUFFERS.freed(memory.byteSize());
      free(memory);
    }
  }

  /** Returns the address of the value that was read. */
  public long address() {
    return cells.getLong(DATA);
  }

  /** Returns the size of the value that was read, in bytes. */
  public long size() {
    return cells.getLong(SIZE);
  }

  /** Returns the engine's pin of the value that was read; 0 if absent. */
  public long pin() {
    return cells.getLong(PIN);
  }

  /** Returns the error message of a read, which the caller frees; 0 if there was no memory for a message. */
  public long message() {
    return cells.getLong(MESSAGE);
  }

  /** Sets the description of a value, as a stub does. */
  public void describe(long pin, long data, long size) {
    cells.putLong(PIN, pin);
    cells.putLong(DATA, data);
    cells.putLong(SIZE, size);
  }

  /** Whether the engine has stored a message in {@link #error}. */
  public boolean hasFailed() {
    return cells.getLong(ERROR) != 0;
  }

  /** Returns the number in {@link #sizeCell}. */
  public long sizeInCell() {
    return cells.getLong(SIZE_CELL);
  }

  /** Sets one of a few words, for structs that the caller builds; returns the word's address. */
  public long word(int index, long value) {
    int place = CELLS + index * Long.BYTES;
    cells.putLong(place, value);
    return address + place;
  }

  /** Returns a word of {@link #reader}, which keeps its content between calls. */
  public long readerWord(int index) {
    return cells.getLong(CELLS + WORDS + index * Long.BYTES);
  }

  public void readerWord(int index, long value) {
    cells.putLong(CELLS + WORDS + index * Long.BYTES, value);
  }

  /** Returns the address of {@link #reader}. */
  public long readerAddress() {
    return address + CELLS + WORDS;
  }

  /** Returns the address of {@link #result}, which is first in memory. */
  public long resultAddress() {
    return address;
  }

  /** Returns the address of {@link #VALUE_ROOM} bytes for a value. */
  public long valueRoomAddress() {
    return address + ROOMS + KEY_ROOM;
  }

  /** Returns the key's memory, of which {@link #keySize} bytes are used. */
  public MemorySegment key() {
    return key;
  }

  public long keyAddress() {
    return keyAddress;
  }

  public long keySize() {
    return keySize;
  }

  /** Returns the value's memory: the size of the last {@link #reserveValue}, or at least {@link #VALUE_ROOM}. */
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

  /** Reserves memory for a key, and returns it as a buffer; null if the key needs separate memory. */
  public ByteBuffer keyBuffer(int length) {
    reserveKey(length);
    return key == keyRoom ? keyBuffer : null;
  }

  /** Reserves memory for a value, and returns it as a buffer; null if the value needs separate memory. */
  public ByteBuffer valueBuffer(long length) {
    reserveValue(length);
    return value == valueRoom ? valueBuffer : null;
  }

  public void copyKey(MemorySegment bytes) {
    long size = bytes.byteSize();
    requireKeySize("key", size);
    reserveKey(size);
    try {
      MemorySegment.copy(bytes, 0, key, 0, size);
    } catch (IllegalStateException | WrongThreadException e) {
      throw Memory.inaccessible("key", e);
    }
  }

  /** Throws if a key would be too large for the engine. */
  public static void requireKeySize(String parameter, long size) {
    if (size > MAX_KEY_SIZE) {
      throw new IllegalArgumentException(parameter + ": " + size + " bytes, but a key has at most " + MAX_KEY_SIZE);
    }
  }

  /** Copies a part of a buffer, independently of its position. */
  public void copyKey(ByteBuffer bytes, int offset, int length) {
    if (length > KEY_ROOM) {
      copyKey(MemorySegment.ofBuffer(bytes.duplicate().clear()).asSlice(offset, length));
      return;
    }
    // From buffer to buffer: a segment of the user's buffer would be an allocation, where the compiler cannot remove
    // it.
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

  /** Copies a value to memory that the engine may read. */
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

  /** Copies a part of a buffer, independently of its position. */
  public void copyValue(ByteBuffer bytes, int offset, int length) {
    if (length > VALUE_ROOM) {
      copyValue(MemorySegment.ofBuffer(bytes.duplicate().clear()).asSlice(offset, length));
      return;
    }
    valueBuffer.put(0, bytes, offset, length);
  }

  /** Copies bytes to an offset in the value's memory, which must be large enough. */
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

  /** Copies the start of the value's memory to a buffer, independently of its position. */
  public void copyFromRoom(ByteBuffer target, int offset, int length) {
    target.put(offset, valueBuffer, 0, length);
  }

  /** Returns the value that was read as a new array. */
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
