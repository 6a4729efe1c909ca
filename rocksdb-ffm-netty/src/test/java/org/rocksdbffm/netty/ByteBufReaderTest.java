/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
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
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.RocksDb;

/** Tests reads of values of all sizes, one after another, under copy limits of all sizes. */
class ByteBufReaderTest {
  private static final int[] SIZES = {100, 1024, 0, 1025, 100, 5000, 4999, 100, 70_000, 150_000, 0, 3, 70_001, 1024};

  /** Buffers without an address, as if Netty may not use Unsafe, or the application implements the buffers. */
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
    assertEquals(0, db.pins().count());
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
        assertEquals(size > copyLimit ? 1 : 0, db.pins().count(), () -> size + " bytes, limit " + copyLimit);
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

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 1024, 5000, Integer.MAX_VALUE})
  void aValueIsAddedToABufferOrComesInOneOfItsOwn(int copyLimit) {
    var reader = new ByteBufReader(db, allocator, copyLimit);
    for (ByteBuf target :
        new ByteBuf[] {
          allocator.directBuffer(4000), allocator.heapBuffer(4000), allocator.directBuffer(5000).slice(100, 4000)
              .clear()
        }) {
      ByteBuf expected = Unpooled.buffer();
      for (int size : SIZES) {
        ByteBuf key = key(size);
        ByteBuf[] own = new ByteBuf[1];
        int before = target.writerIndex();
        assertEquals(size, reader.getInto(key, target, value -> own[0] = value));
        byte[] value = db.get(bytes(size));
        if (own[0] == null) {
          assertTrue(size <= copyLimit);
          expected.writeBytes(value);
        } else {
          assertEquals(before, target.writerIndex());
          assertEquals(Unpooled.wrappedBuffer(value), own[0]);
          assertEquals(size > copyLimit ? 1 : 0, db.pins().count());
          own[0].release();
        }
        assertEquals(expected, target);
        assertEquals(1, target.refCnt());
        ByteBuf missing = key(2);
        assertEquals(KeyReader.ABSENT, reader.getInto(missing, target, any -> {}));
        missing.release();
        key.release();
      }
      assertEquals(copyLimit >= 100, expected.isReadable());
      target.release();
    }
  }

  @Test
  void aBufferWithoutRoomOrInPiecesStaysAsItIs() {
    var reader = new ByteBufReader(db, allocator);
    CompositeByteBuf pieces =
        allocator
            .compositeDirectBuffer()
            .addComponents(allocator.directBuffer(3000).writeZero(3000), allocator.directBuffer(3000).writeZero(3000));
    for (ByteBuf target :
        new ByteBuf[] {allocator.directBuffer(99, 99), allocator.directBuffer(0), allocator.compositeBuffer(),
            pieces}) {
      ByteBuf key = key(100);
      ByteBuf[] own = new ByteBuf[1];
      ByteBuf before = target.copy();
      assertEquals(100, reader.getInto(key, target, value -> own[0] = value));
      assertEquals(Unpooled.wrappedBuffer(db.get(bytes(100))), own[0]);
      assertEquals(before, target);
      own[0].release();
      key.release();
      before.release();
      target.release();
    }
  }

  @Test
  void aTargetThatNobodyMayWriteIsRefused() {
    var reader = new ByteBufReader(db, allocator);
    ByteBuf key = key(100);
    ByteBuf target = allocator.directBuffer(2000);
    ByteBuf readOnly = target.asReadOnly();
    var e = assertThrows(IllegalArgumentException.class, () -> reader.getInto(key, readOnly, value -> {}));
    assertEquals("target: the buffer is read-only", e.getMessage());
    target.release();
    assertThrows(IllegalReferenceCountException.class, () -> reader.getInto(key, target, value -> {}));
    assertEquals(1, key.refCnt());
    key.release();
    assertEquals(
        "target", assertThrows(NullPointerException.class, () -> reader.getInto(key, null, value -> {})).getMessage());
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
