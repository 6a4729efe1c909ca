/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.ScatteringByteChannel;

/** A read-only buffer with a fixed size, without an array, in big-endian order. */
abstract sealed class ReadOnlyByteBuf extends AbstractReferenceCountedByteBuf permits PinnedByteBuf {
  static final ValueLayout.OfShort BIG_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfInt BIG_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfLong BIG_LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  ReadOnlyByteBuf(int size) {
    super(size);
  }

  @Override
  public final boolean isReadOnly() {
    return true;
  }

  @Override
  public final boolean isWritable() {
    return false;
  }

  @Override
  public final boolean isWritable(int count) {
    return false;
  }

  @Override
  public final ByteBuf ensureWritable(int count) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final int ensureWritable(int count, boolean force) {
    return 1; // Netty's code for: not enough bytes, and nothing changed
  }

  @Override
  public final int capacity() {
    return maxCapacity();
  }

  @Override
  public final ByteBuf capacity(int capacity) {
    throw new ReadOnlyBufferException();
  }

  @Override
  @Deprecated
  public final ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public final ByteBuf unwrap() {
    return null;
  }

  @Override
  public final boolean hasArray() {
    return false;
  }

  @Override
  public final byte[] array() {
    throw new UnsupportedOperationException("the bytes are the engine's, and in no array");
  }

  @Override
  public final int arrayOffset() {
    throw new UnsupportedOperationException("the bytes are the engine's, and in no array");
  }

  @Override
  protected final void _setByte(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setShort(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setShortLE(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setMedium(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setMediumLE(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setInt(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setIntLE(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setLong(int index, long value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected final void _setLongLE(int index, long value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final ByteBuf setBytes(int index, ByteBuf source, int sourceIndex, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final ByteBuf setBytes(int index, byte[] source, int sourceIndex, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final ByteBuf setBytes(int index, ByteBuffer source) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final int setBytes(int index, InputStream in, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final int setBytes(int index, ScatteringByteChannel in, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public final int setBytes(int index, FileChannel in, long position, int length) {
    throw new ReadOnlyBufferException();
  }
}
