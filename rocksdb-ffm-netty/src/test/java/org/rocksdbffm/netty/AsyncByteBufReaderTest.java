/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;

/** An event loop that reads never waits for the disk. */
class AsyncByteBufReaderTest {
  private static final int SMALL = 100;
  private static final int LARGE = 50_000;

  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final BlockingQueue<Runnable> disk = new LinkedBlockingQueue<>(); // reads that need a file
  private final DefaultEventExecutor loop = new DefaultEventExecutor();

  @TempDir Path folder;
  private RocksDb db;

  private static byte[] value(int size) {
    byte[] value = new byte[size];
    new Random(size).nextBytes(value);
    return value;
  }

  private static ByteBuf key(int size) {
    return Unpooled.wrappedBuffer(new byte[] {(byte) (size >> 8), (byte) size});
  }

  /** Opens a database whose rows are in a file, and not in memory. */
  @BeforeEach
  void open() {
    try (RocksDb writer = RocksDb.open(folder.resolve("db"))) {
      for (int size : new int[] {0, SMALL, LARGE}) {
        writer.put(ByteBufUtil.getBytes(key(size)), value(size));
      }
      writer.flush();
    }
    db = RocksDb.open(folder.resolve("db"));
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    loop.shutdownGracefully(0, 1, TimeUnit.MINUTES).await();
    assertEquals(0, db.pins().count());
    assertEquals(0, allocator.metric().usedDirectMemory());
    db.close();
  }

  private AsyncByteBufReader reader(int limit) {
    return new AsyncByteBufReader(db.async(disk::add, limit).completeOn(loop), allocator);
  }

  private void assertValue(int size, ByteBuf found) {
    try {
      assertArrayEquals(value(size), ByteBufUtil.getBytes(found));
      assertEquals(size > ByteBufReader.DEFAULT_COPY_LIMIT, found.isReadOnly(), "pinned");
    } finally {
      found.release();
    }
  }

  @Test
  void aLoopGoesOnWhileAValueIsReadFromTheDisk() throws Exception {
    for (int size : new int[] {LARGE, SMALL, 0}) {
      AsyncByteBufReader reader = reader(10);
      CompletableFuture<CompletableFuture<ByteBuf>> started = new CompletableFuture<>();
      CompletableFuture<Thread> completedOn = new CompletableFuture<>();
      loop.execute(() -> {
        CompletableFuture<ByteBuf> read = reader.get(key(size));
        read.whenComplete((value, failure) -> completedOn.complete(Thread.currentThread()));
        started.complete(read);
      });
      CompletableFuture<ByteBuf> read = started.get();
      assertEquals("free", loop.submit(() -> "free").get()); // the disk has not answered yet
      assertFalse(read.isDone());
      disk.remove().run();
      assertEquals(loop.submit(Thread::currentThread).get(), completedOn.get());
      assertValue(size, read.get());
      assertTrue(disk.isEmpty());
      CompletableFuture<ByteBuf> cached = reader.get(key(size));
      assertTrue(cached.isDone(), "a value in memory");
      assertValue(size, cached.get());
      db.close(); // forgets the block
      db = RocksDb.open(folder.resolve("db"));
    }
  }

  @Test
  void aMissingKeyAndAFullLimitAreAnswered() throws Exception {
    AsyncByteBufReader reader = reader(1);
    CompletableFuture<ByteBuf> first = reader.get(key(SMALL));
    ExecutionException full = assertThrows(ExecutionException.class, () -> reader.get(key(LARGE)).get());
    assertInstanceOf(RejectedExecutionException.class, full.getCause());
    disk.remove().run();
    assertValue(SMALL, first.get());
    assertNull(reader.get(key(77)).get());
  }

  @Test
  void aCancelledReadReleasesItsValue() throws Exception {
    AsyncByteBufReader reader = reader(10);
    CompletableFuture<ByteBuf> skipped = reader.get(key(LARGE));
    assertTrue(skipped.cancel(false));
    disk.remove().run();
    CompletableFuture<ByteBuf> replaced = reader.get(key(LARGE));
    replaced.complete(null);
    disk.remove().run();
    assertNull(replaced.get());
    loop.submit(() -> {}).get();
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThrows(NullPointerException.class, () -> new AsyncByteBufReader(null, allocator));
    assertThrows(NullPointerException.class, () -> new AsyncByteBufReader(db.async(disk::add, 1), null));
    assertThrows(IllegalArgumentException.class, () -> new AsyncByteBufReader(db.async(disk::add, 1), allocator, -1));
    assertThrows(NullPointerException.class, () -> reader(1).get(null));
  }
}
