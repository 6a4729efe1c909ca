/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDb;

/** Reads of values of all sizes, one after another, under limits of all sizes. */
class ByteBufReaderTest {
  private static final int[] SIZES = {100, 1024, 0, 1025, 100, 5000, 4999, 100, 70_000, 150_000, 0, 3, 70_001, 1024};

  /** As where Netty may not use Unsafe, or the buffers are somebody's own: nothing is known of an address. */
  private static final class WithoutAddresses extends AbstractByteBufAllocator {
    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return newHeapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

  @TempDir Path folder;
  private RocksDb db;

  @BeforeEach
  void open() {
    db = RocksDb.open(folder.resolve("db"));
    for (int size : SIZES) {
      byte[] value = new byte[size];
      new Random(size).nextBytes(value);
      db.put(bytes(size), value);
    }
  }

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, db.pinCount());
    assertEquals(0, allocator.metric().usedDirectMemory());
    db.close();
  }

  private static byte[] bytes(int size) {
    return Integer.toString(size).getBytes(StandardCharsets.US_ASCII);
  }

  private static ByteBuf key(int size) {
    return Unpooled.directBuffer().writeByte('x').writeBytes(bytes(size)).skipBytes(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 1024, 1025, 4999, 16 << 10, 140_000, Integer.MAX_VALUE})
  void eachValueIsRightWhateverTheOneBeforeItWas(int copyLimit) {
    for (ByteBufAllocator each : new ByteBufAllocator[] {allocator, new WithoutAddresses()}) {
      var reader = new ByteBufReader(db, each, copyLimit);
      for (int size : SIZES) {
        ByteBuf key = key(size);
        ByteBuf value = reader.get(key);
        assertEquals(Unpooled.wrappedBuffer(db.get(bytes(size))), value);
        assertEquals(size > copyLimit ? 1 : 0, db.pinCount(), () -> size + " bytes, limit " + copyLimit);
        assertEquals(size > copyLimit, value.isReadOnly());
        assertEquals(1, key.refCnt());
        value.release();
        ByteBuf missing = key(2);
        assertNull(reader.get(missing));
        missing.release();
        key.release();
      }
    }
  }

  @Test
  void aSmallValueTakesLittleMemoryAfterALargeOneThatWasCopiedToo() {
    var reader = new ByteBufReader(db, allocator, Integer.MAX_VALUE);
    int[] taken = new int[3];
    int[] sizes = {150_000, 100, 100};
    for (int i = 0; i < sizes.length; i++) {
      ByteBuf key = key(sizes[i]);
      ByteBuf value = reader.get(key);
      taken[i] = value.capacity();
      key.release();
      value.release();
    }
    assertEquals(150_000, taken[0]);
    assertEquals(1024, taken[2]);
  }

  @Test
  void aReadThatFailsReleasesItsBuffer() {
    var reader = new ByteBufReader(db, allocator);
    ByteBuf key = key(100);
    reader.get(key).release();
    db.close();
    assertThrows(IllegalStateException.class, () -> reader.get(key));
    assertEquals(1, key.refCnt());
    key.release();
    assertThrows(IllegalReferenceCountException.class, () -> reader.get(key));
  }
}
