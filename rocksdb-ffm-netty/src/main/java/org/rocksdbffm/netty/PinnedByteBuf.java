/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.util.Objects;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.internal.handoff.Lease;

/**
 * A read-only Netty buffer over a pinned value, in the engine's memory. It keeps the value pinned until the buffer's
 * last release, even if the {@link PinnedValue} is closed. Slices and duplicates share its reference count, as with any
 * buffer.
 *
 * <p>It has no memory address, because Netty writes to any target with an address, even a read-only one. Transports and
 * OpenSSL read its NIO buffers ({@link #nioBuffer}), which are direct and read-only, without a copy. An NIO buffer may
 * be used only by the thread that requested it, and throws after the last release by this thread. After the last
 * release by another thread, it stays readable, and the value pinned, until the NIO buffer is unreachable: it never
 * reads freed memory.
 */
public final class PinnedByteBuf extends ReadOnlyByteBuf {
  private static final int COPY_SIZE = 8 << 10;

  private final ByteBufAllocator allocator;
  private final Lease lease;

  private PinnedByteBuf(ByteBufAllocator allocator, Lease lease) {
    super((int) lease.size());
    this.allocator = allocator;
    this.lease = lease;
    writerIndex((int) lease.size());
  }

  /**
   * Returns a buffer over a value. The caller still closes the value; the buffer keeps it pinned.
   *
   * @param allocator allocates copies of the buffer
   * @param value less than 2 GiB; take slices of a larger one
   * @return the buffer, which the caller <em>owns</em> and must release
   */
  public static ByteBuf of(ByteBufAllocator allocator, PinnedValue value) {
    requireNonNull(allocator, "allocator");
    if (requireNonNull(value, "value").size() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "value: a buffer shows less than 2 GiB, and it has " + value.size() + " bytes: take slices of it");
    }
    Lease lease = Lease.of(value);
    try {
      return LeakAware.track(new PinnedByteBuf(allocator, lease));
    } catch (Throwable e) {
      lease.end();
      throw e;
    }
  }

  /**
   * Returns one buffer over all values of a multi-get, one after another, without missing ones. It keeps them pinned
   * together.
   *
   * @param allocator creates the composite buffer
   * @param values less than 2 GiB together
   * @return the buffer, which the caller <em>owns</em> and must release
   */
  public static CompositeByteBuf of(ByteBufAllocator allocator, PinnedValues values) {
    requireNonNull(values, "values");
    CompositeByteBuf all = requireNonNull(allocator, "allocator").compositeBuffer(Math.max(2, values.count()));
    try {
      for (int i = 0; i < values.count(); i++) {
        try (PinnedValue value = values.value(i)) {
          if (value != null) {
            all.addComponent(true, of(allocator, value));
          }
        }
      }
      return all;
    } catch (Throwable e) {
      all.release();
      throw e;
    }
  }

  @Override
  protected void deallocate() {
    lease.end();
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean hasMemoryAddress() {
    return false;
  }

  @Override
  public long memoryAddress() {
    throw new UnsupportedOperationException(
        "the bytes are the engine's, and nobody may write to them: take nioBuffer()");
  }

  /** Returns the bytes; throws after the last release, even if Netty's check is disabled. */
  private MemorySegment bytes() {
    return lease.view();
  }

  private void requireHeld() {
    if (refCnt() == 0) {
      throw new io.netty.util.IllegalReferenceCountException(0);
    }
  }

  private MemorySegment bytes(int index, int length) {
    requireHeld();
    Objects.checkFromIndexSize(index, length, capacity());
    return bytes().asSlice(index, length);
  }

  @Override
  protected byte _getByte(int index) {
    return bytes().get(ValueLayout.JAVA_BYTE, index);
  }

  @Override
  protected short _getShort(int index) {
    return bytes().get(BIG_SHORT, index);
  }

  @Override
  protected short _getShortLE(int index) {
    return Short.reverseBytes(_getShort(index));
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return (_getShort(index) & 0xffff) << 8 | _getByte(index + 2) & 0xff;
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return _getShortLE(index) & 0xffff | (_getByte(index + 2) & 0xff) << 16;
  }

  @Override
  protected int _getInt(int index) {
    return bytes().get(BIG_INT, index);
  }

  @Override
  protected int _getIntLE(int index) {
    return Integer.reverseBytes(_getInt(index));
  }

  @Override
  protected long _getLong(int index) {
    return bytes().get(BIG_LONG, index);
  }

  @Override
  protected long _getLongLE(int index) {
    return Long.reverseBytes(_getLong(index));
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf target, int targetIndex, int length) {
    target.setBytes(targetIndex, nioBuffer(index, length));
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] target, int targetIndex, int length) {
    MemorySegment.copy(bytes(index, length), ValueLayout.JAVA_BYTE, 0, target, targetIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer target) {
    target.put(nioBuffer(index, target.remaining()));
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    bytes(index, length);
    byte[] piece = new byte[Math.min(length, COPY_SIZE)];
    for (int copied = 0; copied < length; ) {
      int count = Math.min(length - copied, COPY_SIZE);
      getBytes(index + copied, piece, 0, count);
      out.write(piece, 0, count);
      copied += count;
    }
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return out.write(nioBuffer(index, length));
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    return out.write(nioBuffer(index, length), position);
  }

  @Override
  public ByteBuf copy(int index, int length) {
    ByteBuffer bytes = nioBuffer(index, length);
    ByteBuf copy = allocator.directBuffer(Math.max(length, 1));
    try {
      return copy.writeBytes(bytes);
    } catch (Throwable e) {
      copy.release();
      throw e;
    }
  }

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    return bytes(index, length).asByteBuffer();
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return nioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  /** Gives access to a protected method of Netty's allocators, which registers a buffer with the leak detector. */
  private abstract static class LeakAware extends AbstractByteBufAllocator {
    static ByteBuf track(ByteBuf buffer) {
      return toLeakAwareBuffer(buffer);
    }
  }
}
