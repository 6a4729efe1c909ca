/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.DatabaseCase;

/** Tests reads into memory that is large enough, too small, or inaccessible. */
class ReadTargetTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");
  private static final byte[] SMALL = random(100, 1);
  private static final byte[] LARGE = random(70_000, 2);

  @BeforeEach
  void fill() {
    db.put(KEY, SMALL);
    db.put(bytes("large"), LARGE);
  }

  private static MemorySegment segment(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 2048, 4097, 16_385, 70_000})
  void anArrayTooSmallStaysAsItIs(int size) {
    byte[] key = bytes("of " + size);
    db.put(key, random(size, size));
    byte[] target = new byte[size - 1];
    Arrays.fill(target, (byte) 9);
    byte[] before = target.clone();
    assertEquals(size, db.getInto(key, target));
    assertArrayEquals(before, target);
    assertEquals(size, db.getInto(segment(key), segment(target)));
    assertArrayEquals(before, target);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment natively = arena.allocateFrom(ValueLayout.JAVA_BYTE, before);
      assertEquals(size, db.getInto(segment(key), natively));
      assertEquals(-1, natively.mismatch(segment(before)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 2048, 4097, 16_385, 70_000})
  void whatLiesBehindTheValueStays(int size) {
    byte[] key = bytes("of " + size);
    byte[] value = random(size, size);
    db.put(key, value);
    byte[] target = new byte[size + 5];
    assertEquals(size, db.getInto(key, target));
    assertArrayEquals(Arrays.copyOf(value, size + 5), target);
  }

  @Test
  void aBufferIsFilledFromItsPosition() {
    for (ByteBuffer target : new ByteBuffer[] {ByteBuffer.allocate(300), ByteBuffer.allocateDirect(300)}) {
      target.position(7).limit(120);
      assertEquals(100, db.getInto(segment(KEY), MemorySegment.ofBuffer(target)));
      assertEquals(ByteBuffer.wrap(SMALL), target.slice(7, 100));
      assertEquals(KeyReader.ABSENT, db.getInto(segment(bytes("none")), MemorySegment.ofBuffer(target)));
    }
  }

  private static Consumer<PinnedValue> nobody() {
    return value -> {
      throw new AssertionError("it fits: " + value.size());
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 1536, 1537, 2049, 16_384, 16_385, 70_000})
  void whatFitsIsCopiedAndNotPinned(int size) throws Exception {
    byte[] key = bytes("of " + size);
    byte[] value = random(size, size);
    db.put(key, value);
    try (Arena arena = Arena.ofConfined();
        FileChannel file =
            FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (MemorySegment target :
          new MemorySegment[] {
            arena.allocate(size),
            arena.allocate(size + 5),
            segment(new byte[size + 5]),
            file.map(MapMode.READ_WRITE, 0, size + 5, arena)
          }) {
        target.fill((byte) 9);
        assertEquals(size, db.getInto(segment(key), target, nobody()));
        assertEquals(-1, target.asSlice(0, size).mismatch(segment(value)));
        byte[] behind = new byte[(int) target.byteSize() - size];
        Arrays.fill(behind, (byte) 9);
        assertArrayEquals(behind, target.asSlice(size).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(0, db.pins().count());
        assertEquals(KeyReader.ABSENT, db.getInto(segment(bytes("none")), target, nobody()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1536, 1537, 2049, 16_384, 16_385, 70_000})
  void whatDoesNotFitIsPinnedAndTheTargetStays(int size) {
    byte[] key = bytes("of " + size);
    byte[] value = random(size, size);
    db.put(key, value);
    try (Arena arena = Arena.ofConfined()) {
      for (MemorySegment target :
          new MemorySegment[] {arena.allocate(size - 1), segment(new byte[size - 1]), MemorySegment.NULL}) {
        PinnedValue[] pinned = new PinnedValue[1];
        assertEquals(size, db.getInto(segment(key), target, got -> pinned[0] = got));
        assertEquals(-1, target.mismatch(segment(new byte[(int) target.byteSize()])));
        assertEquals(1, db.pins().count());
        assertEquals(-1, pinned[0].segment().mismatch(segment(value)));
        pinned[0].close();
      }
    }
  }

  @Test
  void whoGetsWhatDoesNotFitMayUseAndCloseTheDatabase() {
    PinnedValue[] pinned = new PinnedValue[1];
    var e =
        assertThrows(
            UnsupportedOperationException.class,
            () ->
                db.getInto(segment(bytes("large")), segment(new byte[100]), value -> {
                  pinned[0] = value;
                  db.put(KEY, bytes("new"));
                  db.close();
                  throw new UnsupportedOperationException("mine");
                }));
    assertEquals("mine", e.getMessage());
    assertEquals(-1, pinned[0].segment().mismatch(segment(LARGE)));
    pinned[0].close();
  }

  @Test
  void aReadOnlyTargetIsRefused() {
    MemorySegment heap = segment(new byte[200]).asReadOnly();
    var e = assertThrows(IllegalArgumentException.class, () -> db.getInto(segment(KEY), heap));
    assertEquals("target: the segment is read-only; copy the value into one that can be written", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> db.getInto(segment(KEY), heap, nobody()));
    ByteBuffer direct = ByteBuffer.allocateDirect(200).asReadOnlyBuffer();
    assertThrows(IllegalArgumentException.class, () -> db.getInto(segment(KEY), MemorySegment.ofBuffer(direct)));
    assertArrayEquals(SMALL, db.get(KEY));
  }

  @Test
  void aMappedFileIsATargetAndAKey() throws Exception {
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = file.map(MapMode.READ_WRITE, 0, 80_000, arena);
      assertEquals(100, db.getInto(segment(KEY), mapped));
      assertEquals(-1, mapped.asSlice(0, 100).mismatch(segment(SMALL)));
      assertEquals(70_000, db.getInto(segment(bytes("large")), mapped));
      assertEquals(-1, mapped.asSlice(0, 70_000).mismatch(segment(LARGE)));
      db.put(mapped.asSlice(0, 40), mapped.asSlice(40, 60_000));
      assertArrayEquals(Arrays.copyOfRange(LARGE, 40, 60_040), db.get(Arrays.copyOf(LARGE, 40)));
    }
  }

  @Test
  void segmentsOfAnyHeapArrayAreKeysAndTargets() {
    long[] words = new long[40];
    MemorySegment target = MemorySegment.ofArray(words);
    assertEquals(100, db.getInto(segment(KEY), target));
    assertEquals(-1, target.asSlice(0, 100).mismatch(segment(SMALL)));
    db.put(MemorySegment.ofArray(new int[] {1, 2}), MemorySegment.ofArray(new double[] {3}));
    assertEquals(8, db.get(new byte[] {1, 0, 0, 0, 2, 0, 0, 0}).length);
  }

  @Test
  void aSegmentOfAnotherThreadIsRefusedAndTheDatabaseStaysUsable() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_BYTE, KEY);
      MemorySegment target = arena.allocate(100_000);
      refused(WrongThreadException.class, () -> db.get(key));
      refused(WrongThreadException.class, () -> db.getPinned(key));
      refused(WrongThreadException.class, () -> db.get(key, Arena.ofAuto()));
      refused(WrongThreadException.class, () -> db.getInto(segment(KEY), target));
      refused(WrongThreadException.class, () -> db.getInto(segment(KEY), target, nobody()));
      refused(WrongThreadException.class, () -> db.getInto(key, segment(new byte[1]), nobody()));
      refused(WrongThreadException.class, () -> db.mayExist(key));
      refused(WrongThreadException.class, () -> db.multiGet().add(key));
      refused(WrongThreadException.class, () -> db.get(bytes("large"), arena));
      refused(WrongThreadException.class, () -> db.get(KEY, arena));
      refused(WrongThreadException.class, () -> put(key, segment(SMALL)));
      refused(WrongThreadException.class, () -> put(segment(KEY), target));
      refused(WrongThreadException.class, () -> putIntoBatch(segment(KEY), target));
    }
    assertArrayEquals(SMALL, db.get(KEY));
  }

  private Object put(MemorySegment key, MemorySegment value) {
    db.put(key, value);
    return null;
  }

  private static Object putIntoBatch(MemorySegment key, MemorySegment value) {
    new WriteBatch().put(key, value);
    return null;
  }

  /** Asserts that a read on another thread throws an exception. */
  private static void refused(Class<? extends Throwable> with, Supplier<?> read) {
    var e = assertThrows(CompletionException.class, () -> CompletableFuture.supplyAsync(read).join());
    assertEquals(with, e.getCause().getClass());
  }

  @Test
  void aSegmentOfAClosedArenaIsRefused() {
    Arena arena = Arena.ofConfined();
    MemorySegment dead = arena.allocateFrom(ValueLayout.JAVA_BYTE, KEY);
    arena.close();
    assertThrows(IllegalStateException.class, () -> db.get(dead));
    assertThrows(IllegalStateException.class, () -> db.getInto(segment(KEY), dead));
    assertThrows(IllegalStateException.class, () -> db.getInto(segment(KEY), dead, nobody()));
    assertThrows(IllegalStateException.class, () -> db.getInto(segment(bytes("large")), dead, nobody()));
    assertThrows(IllegalStateException.class, () -> db.put(dead, segment(SMALL)));
    assertThrows(IllegalStateException.class, () -> db.put(segment(KEY), dead));
    assertThrows(IllegalStateException.class, () -> db.delete(dead));
    assertThrows(IllegalStateException.class, () -> db.deleteRange(segment(KEY), dead));
    assertThrows(IllegalStateException.class, () -> db.get(KEY, arena));
    assertThrows(IllegalStateException.class, () -> db.get(bytes("large"), arena));
    WriteBatch batch = new WriteBatch();
    assertThrows(IllegalStateException.class, () -> batch.put(segment(KEY), dead));
    assertEquals(0, batch.count());
    assertArrayEquals(SMALL, db.get(KEY));
  }

  @Test
  void aValueInAnArenaDiesWithIt() {
    MemorySegment small;
    MemorySegment large;
    try (Arena arena = Arena.ofConfined()) {
      small = db.get(KEY, arena);
      large = db.get(bytes("large"), arena);
      assertTrue(small.isReadOnly());
      assertTrue(large.isReadOnly());
      assertEquals(1, db.pins().count(), "the small one is a copy");
    }
    assertThrows(IllegalStateException.class, () -> small.get(ValueLayout.JAVA_BYTE, 0));
    assertThrows(IllegalStateException.class, () -> large.get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void whatALookKeptIsDeadBehindIt() {
    MemorySegment kept = db.get(KEY, (MemorySegment value) -> value);
    assertThrows(IllegalStateException.class, () -> kept.get(ValueLayout.JAVA_BYTE, 0));
    assertNull(db.get(bytes("none"), (MemorySegment value) -> "looked"));
  }

  @Test
  void aLookThatThrowsLetsGo() {
    var e =
        assertThrows(
            UnsupportedOperationException.class,
            () -> db.get(KEY, (MemorySegment value) -> { throw new UnsupportedOperationException("mine"); }));
    assertEquals("mine", e.getMessage());
  }

  @Test
  void aLookMayUseTheDatabase() {
    byte[] other = db.get(KEY, (MemorySegment value) -> {
      db.put(KEY, bytes("new"));
      return db.get(bytes("large"));
    });
    assertArrayEquals(LARGE, other);
    assertArrayEquals(bytes("new"), db.get(KEY));
  }

  @Test
  void noKeyIsAnExceptionThatNamesIt() {
    assertEquals("key", assertThrows(NullPointerException.class, () -> db.get((byte[]) null)).getMessage());
    assertEquals("key", assertThrows(NullPointerException.class, () -> db.get((MemorySegment) null)).getMessage());
    assertEquals("target", assertThrows(NullPointerException.class, () -> db.getInto(KEY, null)).getMessage());
    MemorySegment room = segment(new byte[1]);
    assertEquals(
        "otherwise", assertThrows(NullPointerException.class, () -> db.getInto(room, room, null)).getMessage());
    assertEquals("arena", assertThrows(NullPointerException.class, () -> db.get(KEY, (Arena) null)).getMessage());
    assertEquals("value", assertThrows(NullPointerException.class, () -> db.put(KEY, null)).getMessage());
    assertEquals("key", assertThrows(NullPointerException.class, () -> db.put((byte[]) null, KEY)).getMessage());
    MemorySegment none = null;
    assertEquals("key", assertThrows(NullPointerException.class, () -> db.delete(none)).getMessage());
    assertEquals(
        "operand",
        assertThrows(NullPointerException.class, () -> db.merge(segment(KEY), none)).getMessage());
  }

  @Test
  void aFilterRulesOutKeys() {
    FamilyOptions filtered =
        FamilyOptions.defaults().table(TableOptions.defaults().filter(TableFilter.bloom(20)));
    try (RocksDb other = RocksDb.at(folder.resolve("filtered")).defaults(filtered).open()) {
      for (int i = 0; i < 1000; i += 2) {
        other.put(bytes("key" + i), SMALL);
      }
      other.flush();
      int wrong = 0;
      for (int i = 0; i < 1000; i += 2) {
        assertTrue(other.mayExist(bytes("key" + i)));
        wrong += other.mayExist(bytes("key" + (i + 1))) ? 1 : 0;
      }
      assertTrue(wrong < 20, wrong + " of 500 absent keys may exist");
      assertFalse(other.mayExist(bytes("zzz")));
    }
  }
}
