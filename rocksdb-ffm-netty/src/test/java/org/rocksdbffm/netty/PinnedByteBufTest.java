/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;

class PinnedByteBufTest {
  private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
  private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);
  private static final byte[] VALUE = new byte[20_000];

  static {
    new Random(1).nextBytes(VALUE);
  }

  @TempDir Path folder;
  private RocksDb db;

  @BeforeEach
  void open() {
    db = RocksDb.open(folder.resolve("db"));
    db.put(KEY, VALUE);
  }

  @AfterEach
  void everyPinIsReleased() {
    assertEquals(0, db.pins().count());
    db.close();
  }

  private ByteBuf pinned() {
    try (PinnedValue value = db.getPinned(KEY)) {
      return PinnedByteBuf.of(ALLOCATOR, value);
    }
  }

  @Test
  void itReadsLikeABufferOnTheHeap() throws IOException {
    ByteBuf pinned = pinned();
    ByteBuf heap = Unpooled.wrappedBuffer(VALUE);
    assertEquals(heap, pinned);
    assertEquals(heap.hashCode(), pinned.hashCode());
    for (int i = 0; i < 100; i++) {
      assertEquals(heap.getByte(i), pinned.getByte(i));
      assertEquals(heap.getShort(i), pinned.getShort(i));
      assertEquals(heap.getShortLE(i), pinned.getShortLE(i));
      assertEquals(heap.getMedium(i), pinned.getMedium(i));
      assertEquals(heap.getMediumLE(i), pinned.getMediumLE(i));
      assertEquals(heap.getInt(i), pinned.getInt(i));
      assertEquals(heap.getIntLE(i), pinned.getIntLE(i));
      assertEquals(heap.getLong(i), pinned.getLong(i));
      assertEquals(heap.getLongLE(i), pinned.getLongLE(i));
    }
    assertEquals(heap.getLong(VALUE.length - 8), pinned.getLong(VALUE.length - 8));
    assertThrows(IndexOutOfBoundsException.class, () -> pinned.getLong(VALUE.length - 7));
    assertEquals(ByteBufUtil.hexDump(heap), ByteBufUtil.hexDump(pinned));
    assertEquals(heap.indexOf(0, VALUE.length, VALUE[5000]), pinned.indexOf(0, VALUE.length, VALUE[5000]));
    for (ByteBuf target : List.of(ALLOCATOR.heapBuffer(100), ALLOCATOR.directBuffer(100))) {
      pinned.getBytes(7, target, 100);
      assertEquals(heap.slice(7, 100), target);
      target.release();
    }
    var out = new ByteArrayOutputStream();
    pinned.getBytes(1, out, VALUE.length - 1);
    assertEquals(heap.slice(1, VALUE.length - 1), Unpooled.wrappedBuffer(out.toByteArray()));
    ByteBuffer nio = ByteBuffer.allocate(50);
    pinned.getBytes(3, nio);
    assertEquals(heap.slice(3, 50), Unpooled.wrappedBuffer(nio.flip()));
    Path file = folder.resolve("file");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertEquals(10, pinned.getBytes(5, channel, 0L, 10));
      assertEquals(VALUE.length - 10, pinned.getBytes(10, channel.position(10), VALUE.length - 10));
    }
    assertEquals(VALUE.length, Files.size(file));
    ByteBuf copy = pinned.copy();
    pinned.release();
    assertEquals(heap, copy);
    copy.release();
  }

  @Test
  void nobodyWritesToIt() {
    ByteBuf pinned = pinned();
    assertTrue(pinned.isReadOnly());
    assertTrue(!pinned.isWritable() && pinned.writableBytes() == 0);
    List<Executable> writes =
        List.of(
            () -> pinned.setByte(0, 1),
            () -> pinned.setShort(0, 1),
            () -> pinned.setShortLE(0, 1),
            () -> pinned.setMedium(0, 1),
            () -> pinned.setMediumLE(0, 1),
            () -> pinned.setInt(0, 1),
            () -> pinned.setIntLE(0, 1),
            () -> pinned.setLong(0, 1),
            () -> pinned.setLongLE(0, 1),
            () -> pinned.setBytes(0, new byte[1]),
            () -> pinned.setBytes(0, ByteBuffer.allocate(1)),
            () -> pinned.setBytes(0, Unpooled.wrappedBuffer(new byte[1]), 0, 1),
            () -> pinned.setBytes(0, new ByteArrayInputStream(new byte[1]), 1),
            () -> pinned.setZero(0, 8),
            () -> pinned.capacity(1),
            () -> pinned.ensureWritable(1),
            () -> pinned.nioBuffer().put(0, (byte) 1),
            () -> pinned.duplicate().setByte(0, 1),
            () -> pinned.slice().setByte(0, 1));
    for (Executable write : writes) {
      assertThrows(ReadOnlyBufferException.class, write);
    }
    assertThrows(RuntimeException.class, () -> pinned.writeByte(1));
    assertThrows(UnsupportedOperationException.class, pinned::array);
    assertTrue(!pinned.hasMemoryAddress());
    assertThrows(UnsupportedOperationException.class, pinned::memoryAddress);
    pinned.release();
  }

  @Test
  void aRefusedCopyTakesNoMemory() {
    var allocator = new UnpooledByteBufAllocator(true);
    ByteBuf released;
    ByteBuf held;
    try (PinnedValue value = db.getPinned(KEY)) {
      released = PinnedByteBuf.of(allocator, value);
      held = PinnedByteBuf.of(allocator, value);
    }
    released.release();
    for (int[] range : new int[][] {{0, VALUE.length}, {1, VALUE.length}, {-1, 1}, {0, -1}, {VALUE.length + 1, 0}}) {
      assertThrows(IllegalReferenceCountException.class, () -> released.copy(range[0], range[1]));
      if (range[0] != 0 || range[1] != VALUE.length) {
        assertThrows(IndexOutOfBoundsException.class, () -> held.copy(range[0], range[1]));
      }
    }
    assertEquals(0, allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory());
    ByteBuf copy = held.copy();
    assertEquals(Unpooled.wrappedBuffer(VALUE), copy);
    copy.release();
    held.release();
  }

  @Test
  void theLastReleaseUnpinsWhoeverHasIt() {
    ByteBuf pinned = pinned();
    ByteBuf slice = pinned.retainedSlice(10, 10);
    ByteBuf duplicate = pinned.retainedDuplicate();
    ByteBuf read = pinned.readRetainedSlice(100);
    pinned.release();
    slice.release();
    read.release();
    assertEquals(1, db.pins().count());
    assertEquals(VALUE[0], duplicate.getByte(0));
    duplicate.release();
    assertEquals(0, db.pins().count());
    assertThrows(IllegalReferenceCountException.class, () -> pinned.getByte(0));
    assertThrows(IllegalReferenceCountException.class, pinned::nioBuffer);
    assertThrows(IllegalReferenceCountException.class, pinned::release);
  }

  @Test
  void closingTheValueTooOftenDoesNotTakeTheBytesAway() {
    PinnedValue value = db.getPinned(KEY);
    ByteBuf pinned = PinnedByteBuf.of(ALLOCATOR, value);
    value.close();
    value.close();
    assertEquals(1, db.pins().count());
    assertEquals(Unpooled.wrappedBuffer(VALUE), pinned);
    pinned.release();
    assertThrows(IllegalStateException.class, () -> PinnedByteBuf.of(ALLOCATOR, value));
  }

  @Test
  void itOutlivesItsDatabase() {
    ByteBuf pinned = pinned();
    db.close();
    assertEquals(Unpooled.wrappedBuffer(VALUE), pinned);
    pinned.release();
    RocksDb.open(folder.resolve("db")).close();
  }

  @Test
  void aBufferOfNioIsDeadAfterTheReleaseOnItsThread() {
    ByteBuf pinned = pinned();
    ByteBuffer nio = pinned.nioBuffer();
    assertEquals(VALUE[0], nio.get(0));
    assertThrows(
        WrongThreadException.class, () -> unwrapped(CompletableFuture.supplyAsync(() -> nio.get(0))));
    pinned.release();
    assertThrows(IllegalStateException.class, () -> nio.get(0));
  }

  private static <T> T unwrapped(CompletableFuture<T> future) throws Throwable {
    try {
      return future.join();
    } catch (java.util.concurrent.CompletionException e) {
      throw e.getCause();
    }
  }

  @Test
  void aBufferOfNioStaysReadableAfterTheReleaseOnAnotherThread() throws InterruptedException {
    ByteBuf pinned = pinned();
    ByteBuffer nio = pinned.nioBuffer();
    CompletableFuture.runAsync(pinned::release).join();
    assertEquals(1, db.pins().count());
    assertEquals(VALUE[VALUE.length - 1], nio.get(VALUE.length - 1));
    java.lang.ref.Reference.reachabilityFence(nio);
    nio = null;
    pinned = null;
    for (int i = 0; i < 3000 && db.pins().count() != 0; i++) {
      System.gc();
      Thread.sleep(20);
    }
  }

  @Test
  void readersThatRaceWithTheReleaseSeeTheValueOrAreRefused() {
    for (int round = 0; round < 200; round++) {
      ByteBuf pinned = pinned();
      var stop = new AtomicBoolean();
      var readers = new java.util.ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < 3; i++) {
        readers.add(CompletableFuture.runAsync(() -> {
          byte[] read = new byte[VALUE.length];
          try {
            while (!stop.get()) {
              pinned.getBytes(0, read);
              assertEquals(VALUE[500], read[500]);
              assertEquals(VALUE[700], pinned.getByte(700));
            }
          } catch (IllegalStateException expected) {
            assertTrue(pinned.refCnt() == 0, expected.toString()); // also catches IllegalReferenceCountException
          }
        }));
      }
      pinned.release();
      stop.set(true);
      readers.forEach(CompletableFuture::join);
    }
    for (int i = 0; i < 3000 && db.pins().count() != 0; i++) {
      System.gc();
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void aMultiGetIsOneBufferThatKeepsItsValuesTogether() {
    db.put("other".getBytes(StandardCharsets.UTF_8), new byte[5000]);
    CompositeByteBuf all;
    try (PinnedValues values =
        db.multiGet().add(KEY).add("none".getBytes()).add("other".getBytes(StandardCharsets.UTF_8)).get()) {
      all = PinnedByteBuf.of(ALLOCATOR, values);
    }
    assertEquals(1, db.pins().count());
    assertEquals(2, all.numComponents());
    assertEquals(Unpooled.wrappedBuffer(VALUE, new byte[5000]), all);
    ByteBuf slice = all.retainedSlice(VALUE.length - 1, 2);
    all.release();
    assertEquals(VALUE[VALUE.length - 1], slice.getByte(0));
    assertEquals(0, slice.getByte(1));
    slice.release();
  }

  @Test
  void keysAndValuesOfAnyKindOfBufferAreWrittenAndRead() {
    var space = new ByteBufKeySpace(db, ALLOCATOR);
    for (String size : List.of("0", "10", "1024", "1025", "100000")) {
      byte[] bytes = new byte[Integer.parseInt(size)];
      new Random(bytes.length).nextBytes(bytes);
      for (ByteBufAllocator allocator : List.of(ALLOCATOR, ByteBufAllocator.DEFAULT)) {
        for (ByteBuf value :
            List.of(
                allocator.heapBuffer().writeBytes(bytes),
                allocator.directBuffer().writeBytes(bytes),
                Unpooled.wrappedBuffer(bytes).asReadOnly(),
                composite(bytes))) {
          ByteBuf key = allocator.directBuffer().writeByte('x').writeBytes(size.getBytes()).skipBytes(1);
          space.put(key, value);
          assertEquals(bytes.length, value.readableBytes());
          assertEquals(size.length(), key.readableBytes());
          ByteBuf read = space.get(key);
          assertEquals(value, read);
          assertEquals(bytes.length > ByteBufReader.DEFAULT_COPY_LIMIT ? 1 : 0, db.pins().count());
          List<ByteBuf> many = space.multiGet(List.of(key, Unpooled.wrappedBuffer("none".getBytes()), key));
          assertEquals(value, many.get(0));
          assertNull(many.get(1));
          assertEquals(value, many.get(2));
          many.get(0).release();
          many.get(2).release();
          read.release();
          space.delete(key);
          assertNull(space.get(key));
          assertEquals(1, key.refCnt());
          assertEquals(1, value.refCnt());
          key.release();
          value.release();
        }
      }
    }
  }

  private static ByteBuf composite(byte[] bytes) {
    int half = bytes.length / 2;
    return ALLOCATOR
        .compositeBuffer()
        .addComponent(true, Unpooled.copiedBuffer(bytes, 0, half))
        .addComponent(true, ALLOCATOR.directBuffer().writeBytes(bytes, half, bytes.length - half));
  }

  @Test
  void aPinnedValueIsWrittenToAnotherKey() {
    var space = new ByteBufKeySpace(db, ALLOCATOR);
    ByteBuf pinned = pinned();
    ByteBuf other = Unpooled.wrappedBuffer("other".getBytes());
    space.put(other, pinned);
    pinned.release();
    ByteBuf read = space.get(other);
    assertEquals(Unpooled.wrappedBuffer(VALUE), read);
    read.release();
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertEquals("key",
        assertThrows(NullPointerException.class, () -> new ByteBufReader(db, ALLOCATOR).get(null)).getMessage());
    assertEquals("reader",
        assertThrows(NullPointerException.class, () -> new ByteBufReader(null, ALLOCATOR)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> new ByteBufReader(db, ALLOCATOR, -1));
    assertSame(Unpooled.EMPTY_BUFFER.getClass(), emptyValue().getClass());
  }

  private ByteBuf emptyValue() {
    db.put("empty".getBytes(), new byte[0]);
    return new ByteBufReader(db, ALLOCATOR, 0).get(Unpooled.wrappedBuffer("empty".getBytes()));
  }
}
