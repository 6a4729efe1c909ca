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
 * Reads with keys and values that are buffers of Netty. A small value is copied into a buffer of the allocator, a large
 * one stays where the engine has it; see {@link PinnedByteBuf}. No value touches the heap. Thread-safe.
 *
 * <p>A read waits for the disk if the value is in no cache. Where that must not be, on an event loop, read with
 * {@link org.rocksdbffm.ReadOptions.Tier#BLOCK_CACHE}.
 *
 * <p>A key is a buffer of any kind, from its reader index to its writer index, which stay as they are.
 */
public sealed class ByteBufReader permits ByteBufKeySpace {
  /** Values up to this size are copied, unless it is said otherwise. */
  public static final int DEFAULT_COPY_LIMIT = 8 << 10;

  private static final int LEAST_ROOM = 1024;
  private static final int NONE = -1;

  final ByteBufAllocator allocator;
  private final KeyReader reader;
  private final int copyLimit;

  // For the next value, which is taken to be like the last one: none if that was pinned. A guess, so threads share it.
  private int room;

  /**
   * Reads through a reader.
   *
   * @param reader what to read
   * @param allocator makes the buffers of small values
   */
  public ByteBufReader(KeyReader reader, ByteBufAllocator allocator) {
    this(reader, allocator, DEFAULT_COPY_LIMIT);
  }

  /**
   * Reads through a reader, with a limit of one's own between copying and pinning.
   *
   * @param reader what to read
   * @param allocator makes the buffers of small values
   * @param copyLimit values up to this size are copied; 0 to pin every value but the empty one
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
   * @return the value, which the caller <em>owns</em> and must release; or null if there is no such key
   */
  public ByteBuf get(ByteBuf key) {
    int guess = room;
    return guess == NONE ? pinned(key) : copied(key, guess);
  }

  /**
   * Reads a value to the end of a buffer if there is the room for it, with what may be there already: an answer's
   * header, or other values. A value larger than the limit, or than the room, comes in a buffer of its own, as from
   * {@link #get}.
   *
   * @param key borrowed
   * @param target gets the value from its writer index on, which moves behind it; it does not grow, and a buffer in
   *     pieces is not filled
   * @param otherwise gets the buffer of a value that was not written to the target, which it <em>owns</em> and must
   *     release; before this method returns
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

  /** The engine writes the value to a new buffer, if it has the room. */
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

  /** Writes the value to a buffer in one piece, or gives it away; both buffers are held meanwhile. */
  private long fill(ByteBuf key, ByteBuf target, Large large) {
    long size;
    ByteBuf from = HeldBytes.hold(requireNonNull(key, "key"), allocator);
    try {
      ByteBuf to = target.retain();
      try {
        // Two calls, each with segments of one kind, so that the compiler can do without these objects.
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

  /** Receives the pinned value when it did not fit into the target. */
  private static final class Large implements Consumer<PinnedValue> {
    PinnedValue value;

    @Override
    public void accept(PinnedValue pinned) {
      value = pinned;
    }
  }

  /**
   * Reads many values at once. Those that are not copied stay pinned together until the last of them is released.
   *
   * @param keys borrowed
   * @return the values in the order of the keys, null where there is no such key; the caller <em>owns</em> and must
   *     release each
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
    return value.size() <= copyLimit ? copyOf(value) : PinnedByteBuf.of(allocator, value);
  }

  private ByteBuf copyOf(PinnedValue value) {
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
