/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A thread's keys, all of one size, created in advance in each form; used cyclically. Threads start at different
 * keys.
 */
public final class KeyCycle {
  private static final int STRIDE = 7919;

  private final byte[][] arrays;
  private final MemorySegment packed;
  private final ByteBuffer[] buffers;
  private final MemorySegment[] segments;
  private int position;

  public KeyCycle(byte[][] keys) {
    arrays = keys;
    int size = keys[0].length;
    packed = Arena.ofAuto().allocate((long) keys.length * size, Long.BYTES);
    ByteBuffer direct = ByteBuffer.allocateDirect(keys.length * size);
    buffers = new ByteBuffer[keys.length];
    segments = new MemorySegment[keys.length];
    for (int i = 0; i < keys.length; i++) {
      segments[i] = packed.asSlice((long) i * size, size).copyFrom(MemorySegment.ofArray(keys[i]));
      buffers[i] = direct.slice(i * size, size).put(keys[i]);
    }
    position = (int) (Thread.currentThread().threadId() * STRIDE % keys.length);
  }

  /** Returns these keys, starting at a given key for all threads. */
  public KeyCycle startingAt(int first) {
    position = first;
    return this;
  }

  private int next() {
    int now = position;
    position = now + 1 == arrays.length ? 0 : now + 1;
    return now;
  }

  public byte[] array() {
    return arrays[next()];
  }

  /** Returns the next key in a direct buffer, whose position must not be changed. */
  public ByteBuffer buffer() {
    return buffers[next()].rewind();
  }

  public MemorySegment segment() {
    return segments[next()];
  }

  public int count() {
    return arrays.length;
  }

  public int size() {
    return arrays[0].length;
  }

  public int position() {
    return position;
  }

  /** Returns all keys, concatenated. */
  public MemorySegment packed() {
    return packed;
  }
}
