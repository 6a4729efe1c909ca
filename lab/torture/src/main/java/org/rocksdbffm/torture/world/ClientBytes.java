/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.rocksdbffm.KeyRange;

/** Keys and values of clients, in several kinds of memory. */
public final class ClientBytes {
  public static final int KEYS = 48;

  /** Sizes near each limit at which the library changes how it copies, pins or allocates. */
  private static final int[] SIZES = {0, 1, 30, 500, 1536, 1537, 2049, 3000, 5000, 16_384, 16_385, 20_000, 70_000};

  private static final int[] KEY_SIZES = {4, 4, 4, 4, 5, 60, 1023, 1024, 1025, 3000};

  private ClientBytes() {}

  /**
   * Returns a key of a client. The key starts with the numbers of the client and of the key, so keys are sorted by
   * these numbers.
   */
  public static byte[] key(int client, int index) {
    return fill(new byte[] {'K', (byte) client, 0, (byte) (index * 5)}, KEY_SIZES[index % KEY_SIZES.length]);
  }

  /** Returns a key that is deleted by single deletes only. */
  public static byte[] singleKey(int client, int index) {
    return new byte[] {'S', (byte) client, (byte) index};
  }

  private static byte[] fill(byte[] start, int size) {
    byte[] key = Arrays.copyOf(start, size);
    for (int i = start.length; i < size; i++) {
      key[i] = (byte) (i * 7 + size);
    }
    return key;
  }

  /** Returns the range of a client's keys, without the keys for single deletes. */
  public static KeyRange range(int client) {
    return KeyRange.prefix(new byte[] {'K', (byte) client});
  }

  public static byte[] value(Random random) {
    byte[] value = new byte[SIZES[random.nextInt(SIZES.length)]];
    random.nextBytes(value);
    return value;
  }

  /** Copies the bytes to a random kind of memory. */
  public static MemorySegment segment(byte[] bytes, Attempt attempt) {
    return switch (attempt.random.nextInt(4)) {
      case 0 -> MemorySegment.ofArray(bytes);
      case 1 -> MemorySegment.ofArray(bytes).asReadOnly();
      case 2 -> attempt.arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      default -> attempt.arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).asReadOnly();
    };
  }

  /** Copies the bytes between position and limit of a random kind of buffer. */
  public static MemorySegment buffer(byte[] bytes, Attempt attempt) {
    int before = attempt.random.nextInt(3) * 11;
    ByteBuffer buffer = room(before + bytes.length + 5, attempt);
    buffer.position(before).limit(before + bytes.length);
    buffer.duplicate().put(bytes);
    return MemorySegment.ofBuffer(attempt.oneIn(3) ? buffer.asReadOnlyBuffer() : buffer);
  }

  private static ByteBuffer room(int size, Attempt attempt) {
    return switch (attempt.random.nextInt(3)) {
      case 0 -> ByteBuffer.allocate(size);
      case 1 -> ByteBuffer.allocateDirect(size);
      default -> attempt.arena.allocate(size).asByteBuffer();
    };
  }

  public static MemorySegment target(int size, Attempt attempt) {
    return MemorySegment.ofBuffer(room(size, attempt));
  }

  public static List<byte[]> keys(int client, Random random) {
    return random.ints(1 + random.nextInt(20), 0, KEYS).mapToObj(index -> key(client, index)).toList();
  }
}
