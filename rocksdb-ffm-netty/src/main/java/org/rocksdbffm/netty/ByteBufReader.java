/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;

/**
 * Reads keys and values in Netty buffers. A small value is copied into a buffer of the allocator, a large one is pinned
 * in the engine's memory ({@link PinnedByteBuf}). No value is copied to the heap. Thread-safe.
 *
 * <p>A read waits for the disk if the value is not cached. On an event loop, which must not wait, read with an {@link
 * AsyncByteBufReader}.
 *
 * <p>A key is in any kind of buffer, from its reader index to its writer index, which do not change.
 */
public sealed class ByteBufReader permits ByteBufKeySpace {
  /** The default limit of size for values to be copied: 8 KiB. */
  public static final int DEFAULT_COPY_LIMIT = 8 << 10;

  private static final int LEAST_ROOM = 1024;
  private static final int NONE = -1;

  final ByteBufAllocator allocator;
  private final KeyReader reader;
  private final int copyLimit;

  // The size to allocate for the next value, guessed from the last value; NONE if the last value was pinned. Shared
  // without a lock.
  private int room;

  /**
   * Creates a reader with the {@linkplain #DEFAULT_COPY_LIMIT default limit} for copies.
   *
   * @param reader reads from a database, column family, snapshot or transaction
   * @param allocator allocates the buffers of small values
   */
  public ByteBufReader(KeyReader reader, ByteBufAllocator allocator) {
    this(reader, allocator, DEFAULT_COPY_LIMIT);
  }

  /**
   * Creates a reader with a limit for copies.
   *
   * @param reader reads from a database, column family, snapshot or transaction
   * @param allocator allocates the buffers of small values
   * @param copyLimit values up to this size are copied, larger ones pinned; 0 to pin all values that are not empty
   */
  public ByteBufReader(KeyReader reader, ByteBufAllocator allocator, int copyLimit) {
    this.reader = requireNonNull(reader, "reader");
    this.allocator = requireNonNull(allocator, "allocator");
    if (copyLimit < 0) {
      throw new IllegalArgumentException("copyLimit: " + copyLimit + " is negative");
    }
    this.copyLimit = copyLimit;
    this.room = roomFor(0);
  }

  /**
   * Reads a value.
   *
   * @param key borrowed
   * @return the value, which the caller <em>owns</em> and must release; null if the key is missing
   */
  public ByteBuf get(ByteBuf key) {
    int guess = room;
    return guess == NONE ? pinned(key) : copied(key, guess);
  }

  /**
   * Appends a value to a buffer, if it has enough writable bytes. A value larger than these or than the limit for
   * copies is returned in a separate buffer, as by {@link #get}.
   *
   * @param key borrowed
   * @param target receives the value at its writer index, which moves to the end of the value; it does not grow, and a
   *     composite buffer is not filled
   * @param otherwise receives the separate buffer, which it <em>owns</em> and must release, before this method returns
   * @return the value's size, or {@link KeyReader#ABSENT}
   */
  public long getInto(ByteBuf key, ByteBuf target, Consumer<? super ByteBuf> otherwise) {
    requireNonNull(otherwise, "otherwise");
    if (requireNonNull(target, "target").isReadOnly()) {
      throw new IllegalArgumentException("target: the buffer is read-only");
    }
    int guess = room;
    if (guess != NONE && guess <= target.writableBytes() && target.nioBufferCount() == 1) {
      var large = new Large();
      long size = fill(key, target, large);
      if (large.value != null) {
        otherwise.accept(bufferOfOwn(large.value));
      }
      return size;
    }
    ByteBuf value = get(key);
    if (value == null) {
      return KeyReader.ABSENT;
    }
    long size = value.readableBytes();
    otherwise.accept(value);
    return size;
  }

  private ByteBuf pinned(ByteBuf key) {
    try (HeldBytes bytes = new HeldBytes(requireNonNull(key, "key"), allocator)) {
      PinnedValue value = reader.getPinned(bytes.segment());
      return value == null ? null : bufferOfOwn(value);
    }
  }

  /** Reads the value into a new buffer, or pins a value that is larger. */
  private ByteBuf copied(ByteBuf key, int guess) {
    ByteBuf copy = allocator.directBuffer(guess);
    var large = new Large();
    long size = KeyReader.ABSENT;
    try {
      size = fill(key, copy, large);
    } finally {
      if (size <= 0 || large.value != null) {
        copy.release();
      }
    }
    if (large.value != null) {
      return bufferOfOwn(large.value);
    }
    return size > 0 ? copy : size == 0 ? Unpooled.EMPTY_BUFFER : null;
  }

  /** Writes the value to a contiguous buffer, or pins it; retains both buffers during the call. */
  private long fill(ByteBuf key, ByteBuf target, Large large) {
    long size;
    ByteBuf from = HeldBytes.hold(requireNonNull(key, "key"), allocator);
    try {
      ByteBuf to = target.retain();
      try {
        // Two calls, each with one kind of segment, so that the JIT compiler can eliminate the allocations.
        size =
            from.hasMemoryAddress() && to.hasMemoryAddress()
                ? reader.getInto(HeldBytes.lent(from), HeldBytes.lentRoom(to, copyLimit), large)
                : reader.getInto(HeldBytes.segmentOf(from), HeldBytes.roomOf(to, copyLimit), large);
      } finally {
        to.release();
      }
    } finally {
      from.release();
    }
    if (large.value == null && size != KeyReader.ABSENT) {
      target.writerIndex(target.writerIndex() + (int) size);
      expect(size);
    }
    return size;
  }

  private ByteBuf bufferOfOwn(PinnedValue owned) {
    try (PinnedValue value = owned) {
      expect(value.size());
      return bufferOf(value);
    }
  }

  private void expect(long size) {
    int next = roomFor(size);
    if (next != room) {
      room = next;
    }
  }

  private int roomFor(long size) {
    if (copyLimit == 0 || size > copyLimit) {
      return NONE;
    }
    return Math.clamp(Long.highestOneBit(Math.max(size - 1, 1)) * 2, Math.min(LEAST_ROOM, copyLimit), copyLimit);
  }

  /** Receives a pinned value that did not fit into the target. */
  private static final class Large implements Consumer<PinnedValue> {
    PinnedValue value;

    @Override
    public void accept(PinnedValue pinned) {
      value = pinned;
    }
  }

  /**
   * Reads many values in one call. Large values are pinned together until the last of them is released.
   *
   * @param keys borrowed
   * @return the values in the order of the keys, null for missing keys; the caller <em>owns</em> and must release each
   */
  public List<ByteBuf> multiGet(List<ByteBuf> keys) {
    try (PinnedValues values = pin(keys)) {
      List<ByteBuf> buffers = new ArrayList<>(values.count());
      try {
        for (int i = 0; i < values.count(); i++) {
          try (PinnedValue value = values.value(i)) {
            buffers.add(value == null ? null : bufferOf(value));
          }
        }
        return buffers;
      } catch (Throwable e) {
        buffers.stream().filter(java.util.Objects::nonNull).forEach(ByteBuf::release);
        throw e;
      }
    }
  }

  private PinnedValues pin(List<ByteBuf> keys) {
    MultiGet request = reader.multiGet();
    for (ByteBuf key : requireNonNull(keys, "keys")) {
      try (HeldBytes bytes = new HeldBytes(requireNonNull(key, "key"), allocator)) {
        request.add(bytes.segment());
      }
    }
    return request.get();
  }

  private ByteBuf bufferOf(PinnedValue value) {
    return bufferOf(value, allocator, copyLimit);
  }

  /** Returns a copy of a small value, or a buffer that shares the pin of a large one. */
  static ByteBuf bufferOf(PinnedValue value, ByteBufAllocator allocator, int copyLimit) {
    return value.size() <= copyLimit ? copyOf(value, allocator) : PinnedByteBuf.of(allocator, value);
  }

  private static ByteBuf copyOf(PinnedValue value, ByteBufAllocator allocator) {
    if (value.size() == 0) {
      return Unpooled.EMPTY_BUFFER;
    }
    ByteBuf copy = allocator.directBuffer((int) value.size());
    try (PinnedValue.View view = value.view()) {
      return copy.writeBytes(view.buffer());
    } catch (Throwable e) {
      copy.release();
      throw e;
    }
  }
}
