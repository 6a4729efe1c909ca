/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests cursors, scans and streams, at the edges. */
class IterationTest {
  @TempDir Path folder;
  private RocksDb db;

  @BeforeEach
  void open() {
    db = RocksDb.open(folder);
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void put(String... keys) {
    for (String key : keys) {
      db.put(bytes(key), bytes("v" + key));
    }
  }

  private List<String> keys(KeyRange range) {
    return db.stream(range, row -> text(row.keyBytes())).toList();
  }

  private List<String> keysBackward(KeyRange range) {
    List<String> keys = new ArrayList<>();
    try (Scan scan = db.scanBackward(range)) {
      while (scan.next()) {
        keys.add(text(scan.keyBytes()));
      }
    }
    return keys;
  }

  @Test
  void anEmptyDatabaseHasNoRow() {
    try (Cursor cursor = db.cursor();
        Scan scan = db.scan(KeyRange.all());
        Scan backward = db.scanBackward(KeyRange.all())) {
      assertFalse(cursor.hasRow());
      assertFalse(cursor.first());
      assertFalse(cursor.last());
      assertFalse(cursor.seek(new byte[0]));
      assertFalse(cursor.seekForPrevious(bytes("x")));
      assertFalse(scan.next());
      assertFalse(scan.next());
      assertFalse(backward.next());
    }
    assertEquals(List.of(), keys(KeyRange.all()));
  }

  @Test
  void oneRowIsFirstAndLast() {
    put("a");
    try (Cursor cursor = db.cursor()) {
      assertTrue(cursor.first());
      assertFalse(cursor.next());
      assertFalse(cursor.hasRow());
      assertTrue(cursor.last());
      assertEquals("va", text(cursor.valueBytes()));
      assertFalse(cursor.previous());
    }
    assertEquals(List.of("a"), keysBackward(KeyRange.all()));
  }

  @Test
  void aCursorThatStandsNowhereSaysSo() {
    put("a");
    try (Cursor cursor = db.cursor()) {
      String message =
          "cursor over column family 'default' of database " + folder
              + " is not at a row: seek, and go on only while the answer is true";
      assertEquals(message, assertThrows(IllegalStateException.class, cursor::next).getMessage());
      assertThrows(IllegalStateException.class, cursor::previous);
      assertThrows(IllegalStateException.class, cursor::key);
      assertThrows(IllegalStateException.class, cursor::value);
      assertThrows(IllegalStateException.class, cursor::keySize);
      assertThrows(IllegalStateException.class, cursor::valueSize);
      assertTrue(cursor.first());
      assertFalse(cursor.next());
      assertThrows(IllegalStateException.class, cursor::next);
      assertTrue(cursor.first(), "it is usable again");
    }
  }

  @Test
  void aClosedCursorSaysSo() {
    put("a");
    Cursor cursor = db.cursor();
    Scan scan = db.scan(KeyRange.all());
    assertTrue(cursor.first());
    assertTrue(scan.next());
    cursor.close();
    cursor.close();
    scan.close();
    String message = "cursor over column family 'default' of database " + folder + " is closed";
    assertEquals(message, assertThrows(IllegalStateException.class, cursor::first).getMessage());
    assertThrows(IllegalStateException.class, cursor::key);
    assertThrows(IllegalStateException.class, cursor::hasRow);
    assertThrows(IllegalStateException.class, cursor::refresh);
    assertThrows(IllegalStateException.class, () -> cursor.seek(bytes("a")));
    assertThrows(IllegalStateException.class, scan::next);
    Cursor open = db.cursor();
    db.close();
    message = "database " + folder + " is closed";
    assertEquals(message, assertThrows(IllegalStateException.class, open::first).getMessage());
    open.close();
  }

  @Test
  void aRangeHoldsItsFirstKeyAndNotItsEnd() {
    put("a", "ab", "b", "c", "d");
    assertEquals(List.of("ab", "b"), keys(KeyRange.between(bytes("ab"), bytes("c"))));
    assertEquals(List.of("b", "ab"), keysBackward(KeyRange.between(bytes("ab"), bytes("c"))));
    assertEquals(List.of("c", "d"), keys(KeyRange.from(bytes("bz"))));
    assertEquals(List.of("a"), keys(KeyRange.until(bytes("ab"))));
    assertEquals(List.of("a", "ab"), keys(KeyRange.prefix(bytes("a"))));
    assertEquals(List.of("a", "ab", "b", "c", "d"), keys(KeyRange.prefix(new byte[0])));
    assertEquals(List.of("a", "ab", "b", "c", "d"), keys(KeyRange.from(new byte[0])));
    assertEquals(List.of(), keys(KeyRange.until(new byte[0])));
    assertEquals(List.of(), keys(KeyRange.between(bytes("b"), bytes("b"))));
    assertEquals(List.of(), keys(KeyRange.between(bytes("c"), bytes("a"))));
    assertEquals(List.of(), keysBackward(KeyRange.between(bytes("c"), bytes("a"))));
  }

  @Test
  void aPrefixOfLastBytesHasNoEnd() {
    byte[][] keys = {{1}, {(byte) 0xfe, 1}, {(byte) 0xff}, {(byte) 0xff, (byte) 0xff}, {(byte) 0xff, (byte) 0xff, 7}};
    for (byte[] key : keys) {
      db.put(key, key);
    }
    assertEquals(3, db.stream(KeyRange.prefix(new byte[] {(byte) 0xff}), Row::keySize).count());
    assertEquals(2, db.stream(KeyRange.prefix(new byte[] {(byte) 0xff, (byte) 0xff}), Row::keySize).count());
    assertEquals(1, db.stream(KeyRange.prefix(new byte[] {(byte) 0xfe}), Row::keySize).count());
  }

  @Test
  void aCursorStaysWithinItsRange() {
    put("a", "b", "c", "d");
    try (Cursor cursor = db.cursor(KeyRange.between(bytes("b"), bytes("d")))) {
      assertTrue(cursor.seek(bytes("a")));
      assertEquals("b", text(cursor.keyBytes()));
      assertFalse(cursor.previous());
      assertFalse(cursor.seek(bytes("d")));
      assertTrue(cursor.seekForPrevious(bytes("z")));
      assertEquals("c", text(cursor.keyBytes()));
      assertFalse(cursor.seekForPrevious(bytes("a")));
      assertTrue(cursor.last());
      assertEquals("c", text(cursor.keyBytes()));
    }
  }

  @Test
  void aCursorIsSoughtByEveryKindOfKey() {
    put("b", "d");
    for (KeyKind kind : KeyKind.values()) {
      try (Cursor cursor = db.cursor()) {
        Object key = kind.of(bytes("c"));
        String place = key.toString();
        assertTrue(
            switch (key) {
              case byte[] array -> cursor.seek(array);
              case MemorySegment segment -> cursor.seek(segment);
              default -> cursor.seek((ByteBuffer) key);
            });
        assertEquals("d", text(cursor.keyBytes()));
        assertTrue(
            switch (key) {
              case byte[] array -> cursor.seekForPrevious(array);
              case MemorySegment segment -> cursor.seekForPrevious(segment);
              default -> cursor.seekForPrevious((ByteBuffer) key);
            });
        assertEquals("b", text(cursor.keyBytes()));
        assertTrue(key instanceof byte[] || key.toString().equals(place));
      }
    }
  }

  @Test
  void aCursorSeesTheDatabaseAsItWasUntilRefreshed() {
    put("a", "b");
    try (Cursor cursor = db.cursor()) {
      put("aa");
      db.delete(bytes("b"));
      db.flush();
      db.compact(KeyRange.all());
      assertTrue(cursor.first());
      assertTrue(cursor.next());
      assertEquals("b", text(cursor.keyBytes()));
      cursor.refresh();
      assertFalse(cursor.hasRow());
      assertTrue(cursor.last());
      assertEquals("aa", text(cursor.keyBytes()));
    }
  }

  @Test
  void aScanGoesOnWithoutTheSnapshotThatItWasOpenedOn() {
    put("a", "b", "c");
    for (KeyRange range : List.of(KeyRange.all(), KeyRange.from(bytes("b")))) {
      Scan scan;
      try (Snapshot snapshot = db.snapshot()) {
        scan = snapshot.scan(range);
      }
      db.delete(bytes("c"));
      try (scan) {
        String last = null;
        while (scan.next()) {
          last = text(scan.keyBytes());
        }
        assertEquals("c", last);
      }
      put("c");
    }
  }

  @Test
  void aCursorTurnsRoundAnywhere() {
    IntStream.range(0, 50).forEach(i -> db.put(bytes("%02d".formatted(i)), random(i % 3 == 0 ? 9000 : 10, i)));
    try (Cursor cursor = db.cursor()) {
      assertTrue(cursor.seek(bytes("25")));
      for (int turn = 1; turn < 20; turn++) {
        for (int step = 0; step < turn; step++) {
          assertTrue(turn % 2 == 0 ? cursor.next() : cursor.previous());
        }
        int at = 25 + (turn % 2 == 0 ? turn / 2 : -(turn + 1) / 2);
        assertEquals("%02d".formatted(at), text(cursor.keyBytes()));
        assertArrayEquals(random(at % 3 == 0 ? 9000 : 10, at), cursor.valueBytes());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsOfAllSizesMixedComeWhole(boolean flushed) {
    int[] sizes = {0, 1, 10, 2040, 2044, 2045, 2046, 2047, 2048, 2049, 8180, 8192, 8193, 33_000, 70_000, 1_000_000};
    int rows = 0;
    for (int round = 0; round < 6; round++) {
      for (int size : sizes) {
        db.put(bytes("%04d".formatted(rows * 7919 % 997)), random(size, rows * 7919 % 997));
        rows++;
      }
    }
    if (flushed) {
      db.flush();
    }
    for (boolean backward : new boolean[] {false, true}) {
      int count = 0;
      try (Scan scan = backward ? db.scanBackward(KeyRange.all()) : db.scan(KeyRange.all())) {
        while (scan.next()) {
          long seed = Long.parseLong(text(scan.keyBytes()));
          assertArrayEquals(random((int) scan.valueSize(), seed), scan.valueBytes());
          assertEquals(4, scan.keySize());
          count++;
        }
      }
      assertEquals(rows, count);
    }
  }

  @Test
  void aLargeRowsSegmentsDieAtTheMoveAndSmallOnesAtTheClose() {
    db.put(bytes("a"), random(5000, 1));
    db.put(bytes("b"), random(5, 2));
    db.put(bytes("c"), random(5000, 3));
    try (Cursor cursor = db.cursor()) {
      cursor.first();
      MemorySegment large = cursor.value();
      assertTrue(large.isReadOnly());
      cursor.next();
      assertThrows(IllegalStateException.class, () -> large.get(ValueLayout.JAVA_BYTE, 0));
      MemorySegment small = cursor.value();
      assertTrue(small.isReadOnly());
      cursor.next();
      cursor.first();
      small.toArray(ValueLayout.JAVA_BYTE);
      MemorySegment again = cursor.key();
      cursor.close();
      assertThrows(IllegalStateException.class, () -> small.get(ValueLayout.JAVA_BYTE, 0));
      assertThrows(IllegalStateException.class, () -> again.get(ValueLayout.JAVA_BYTE, 0));
    }
  }

  @Test
  void segmentsOfSmallRowsThatAnotherThreadClosesKeepTheirBytes() throws InterruptedException {
    db.put(bytes("a"), bytes("mine"));
    Cursor cursor = db.cursor();
    cursor.first();
    MemorySegment mine = cursor.value();
    Thread.ofPlatform().start(cursor::close).join();
    db.put(bytes("a"), bytes("next"));
    for (int i = 0; i < 100; i++) {
      readNext();
    }
    assertArrayEquals(bytes("mine"), mine.toArray(ValueLayout.JAVA_BYTE));
    db.close();
    assertArrayEquals(bytes("mine"), mine.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void segmentsOfSmallRowsSurviveThatAnotherThreadGoesOnAndCloses() throws InterruptedException {
    db.put(bytes("a"), bytes("mine"));
    Cursor cursor = db.cursor();
    cursor.first();
    MemorySegment mine = cursor.value();
    List<byte[]> seen = new ArrayList<>();
    Thread.ofPlatform()
        .start(
            () -> {
              seen.add(cursor.value().toArray(ValueLayout.JAVA_BYTE));
              cursor.close();
            })
        .join();
    db.put(bytes("a"), bytes("next"));
    for (int i = 0; i < 100; i++) {
      readNext();
    }
    assertArrayEquals(bytes("mine"), seen.getFirst());
    assertArrayEquals(bytes("mine"), mine.toArray(ValueLayout.JAVA_BYTE));
  }

  /** By an iterator that writes into the memory of one before, if that was given on. */
  private void readNext() {
    try (Cursor cursor = db.cursor()) {
      assertTrue(cursor.first());
      assertArrayEquals(bytes("next"), cursor.value().toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void aCopyOfALargeRowByAnotherThreadHoldsNothing() throws InterruptedException {
    byte[] large = random(5000, 1);
    db.put(bytes("a"), large);
    db.put(bytes("b"), random(5000, 2));
    try (Cursor cursor = db.cursor()) {
      cursor.first();
      List<byte[]> copies = new ArrayList<>();
      Thread other = Thread.ofPlatform().start(() -> copies.addAll(List.of(cursor.keyBytes(), cursor.valueBytes())));
      other.join();
      assertArrayEquals(bytes("a"), copies.get(0));
      assertArrayEquals(large, copies.get(1));
      assertTrue(cursor.next());
      cursor.close();
      assertThrows(IllegalStateException.class, cursor::keyBytes);
      assertThrows(IllegalStateException.class, cursor::valueBytes);
    }
  }

  @Test
  void aStreamClosesItselfBehindItsLastRow() {
    put("a", "b", "c");
    Scan scan = db.scan(KeyRange.all());
    assertEquals(3, scan.stream(Row::keySize).count());
    assertThrows(IllegalStateException.class, scan::next);
  }

  @Test
  void aStreamThatEndsEarlierIsClosedByItsUser() {
    put("a", "b", "c");
    Scan scan = db.scan(KeyRange.all());
    try (Stream<String> keys = scan.stream(row -> text(row.keyBytes()))) {
      assertEquals(List.of("a", "b"), keys.limit(2).toList());
    }
    assertThrows(IllegalStateException.class, scan::next);
    try (Stream<String> keys = db.stream(KeyRange.all(), row -> text(row.keyBytes()))) {
      assertEquals("b", keys.filter(key -> key.equals("b")).findFirst().orElseThrow());
    }
  }

  private static List<String> keysOf(Iterable<Row> rows) {
    List<String> keys = new ArrayList<>();
    for (Row row : rows) {
      keys.add(text(row.keyBytes()));
    }
    return keys;
  }

  @Test
  void aLoopGoesThroughARangeAndClosesTheScan() {
    put("a", "b", "c", "d");
    assertEquals(List.of("b", "c"), keysOf(db.scan(KeyRange.closed(bytes("b"), bytes("c")))));
    assertEquals(List.of("d", "c", "b", "a"), keysOf(db.scanBackward(KeyRange.all())));
    assertEquals(List.of(), keysOf(db.scan(KeyRange.from(bytes("e")))));
    Scan scan = db.scan(KeyRange.all());
    keysOf(scan);
    assertThrows(IllegalStateException.class, scan::next);
  }

  @Test
  void aLoopThatIsLeftEndsWithItsStatement() {
    IntStream.range(0, 100).forEach(i -> db.put(bytes("%02d".formatted(i)), new byte[i % 7 == 0 ? 2000 : 10]));
    Scan left;
    try (Scan rows = db.scan(KeyRange.all())) {
      left = rows;
      for (Row row : rows) {
        if (text(row.keyBytes()).equals("49")) {
          break;
        }
      }
      assertEquals("49", text(rows.keyBytes()), "the scan stands where the loop was left");
      assertTrue(rows.next());
      assertEquals("50", text(rows.keyBytes()));
    }
    assertThrows(IllegalStateException.class, left::next);
  }

  @Test
  void aLoopGoesOnWhereTheScanStands() {
    put("a", "b", "c");
    try (Scan rows = db.scan(KeyRange.all())) {
      assertTrue(rows.next());
      assertEquals(List.of("b", "c"), keysOf(rows));
    }
  }

  @Test
  void thereIsOneIteratorAndItMayBeAskedAgain() {
    put("a");
    Scan scan = db.scan(KeyRange.all());
    Iterator<Row> rows = scan.iterator();
    String message = assertThrows(IllegalStateException.class, scan::iterator).getMessage();
    assertEquals("the rows of this scan are gone through already: open another scan", message);
    assertThrows(UnsupportedOperationException.class, scan::spliterator);
    assertTrue(rows.hasNext());
    assertTrue(rows.hasNext());
    assertSame(scan, rows.next());
    assertThrows(UnsupportedOperationException.class, rows::remove);
    for (int i = 0; i < 3; i++) {
      assertFalse(rows.hasNext());
    }
    assertEquals("the scan has no more rows", assertThrows(NoSuchElementException.class, rows::next).getMessage());
  }

  @Test
  void aScanThatWasClosedIsNotGoneThrough() {
    put("a", "b");
    Scan scan = db.scan(KeyRange.all());
    Iterator<Row> rows = scan.iterator();
    assertTrue(rows.hasNext());
    rows.next();
    scan.close();
    assertThrows(IllegalStateException.class, rows::hasNext);
    assertThrows(IllegalStateException.class, rows::next);
    Scan closed = db.scan(KeyRange.all());
    closed.close();
    assertThrows(IllegalStateException.class, closed::iterator);
    assertThrows(IllegalStateException.class, () -> closed.forEach(row -> {}));
  }

  @Test
  void anActionForEachRowClosesTheScanInAnyCase() {
    put("a", "b", "c");
    List<String> keys = new ArrayList<>();
    Scan all = db.scan(KeyRange.all());
    all.forEach(row -> keys.add(text(row.keyBytes())));
    assertEquals(List.of("a", "b", "c"), keys);
    assertThrows(IllegalStateException.class, all::next);
    Scan failed = db.scan(KeyRange.all());
    var e = assertThrows(IllegalArgumentException.class, () -> failed.forEach(row -> {
      throw new IllegalArgumentException("no");
    }));
    assertEquals("no", e.getMessage());
    assertThrows(IllegalStateException.class, failed::next);
  }

  @Test
  void aViewOfARowEndsWhenTheLoopGoesOn() {
    db.put(bytes("a"), new byte[5000]);
    db.put(bytes("b"), new byte[5000]);
    db.flush();
    try (Scan scan = db.scan(KeyRange.all())) {
      Iterator<Row> rows = scan.iterator();
      MemorySegment value = rows.next().value();
      assertEquals(0, value.get(ValueLayout.JAVA_BYTE, 4999));
      assertTrue(rows.hasNext());
      assertThrows(IllegalStateException.class, () -> value.get(ValueLayout.JAVA_BYTE, 4999));
    }
  }

  @Test
  void aStreamTakenForAParallelOneKeepsItsRowsAndTheirOrder() {
    IntStream.range(0, 10_000).forEach(i -> db.put(bytes("%05d".formatted(i)), bytes("v" + i)));
    List<String> values = db.stream(KeyRange.all(), row -> text(row.valueBytes())).parallel().map(v -> v + "!").toList();
    assertEquals(IntStream.range(0, 10_000).mapToObj(i -> "v" + i + "!").toList(), values);
  }

  @Test
  void anIteratorMayBeAskedAgainBehindTheEnd() {
    put("a");
    Iterator<String> keys = db.stream(KeyRange.all(), row -> text(row.keyBytes())).iterator();
    assertTrue(keys.hasNext());
    assertTrue(keys.hasNext());
    assertEquals("a", keys.next());
    for (int i = 0; i < 3; i++) {
      assertFalse(keys.hasNext());
    }
    assertThrows(NoSuchElementException.class, keys::next);
  }

  @Test
  void aScanGoesOnAsAStream() {
    put("a", "b", "c");
    try (Scan scan = db.scan(KeyRange.all())) {
      assertTrue(scan.next());
      assertEquals(List.of("b", "c"), scan.stream(row -> text(row.keyBytes())).toList());
    }
  }

  @Test
  void aMapperThatThrowsLeavesTheScanUsable() {
    put("a", "b");
    try (Scan scan = db.scan(KeyRange.all())) {
      Stream<Object> stream = scan.stream(row -> { throw new UnsupportedOperationException("mine"); });
      assertThrows(UnsupportedOperationException.class, stream::toList);
      assertTrue(scan.next());
      assertEquals("b", text(scan.keyBytes()));
    }
  }

  @Test
  void aTailingCursorFollowsWrites() {
    put("a");
    try (Cursor cursor = db.with(ReadOptions.defaults().tailing(true)).cursor()) {
      assertTrue(cursor.first());
      assertFalse(cursor.next());
      put("b");
      assertTrue(cursor.seek(bytes("b")));
      assertEquals("vb", text(cursor.valueBytes()));
    }
  }

  @Test
  void aReaderThatMayNotReadFilesSaysSo() {
    put("a");
    db.flush();
    db.close();
    try (RocksDb reopened = RocksDb.open(folder)) {
      Reader memory = reopened.with(ReadOptions.defaults().tier(ReadOptions.Tier.BLOCK_CACHE));
      var e = assertThrows(RocksDbException.class, () -> memory.get(bytes("a")));
      assertEquals(RocksDbException.Code.INCOMPLETE, e.code());
      try (Scan scan = memory.scan(KeyRange.all())) {
        e = assertThrows(RocksDbException.class, scan::next);
        assertEquals(RocksDbException.Code.INCOMPLETE, e.code());
      }
      assertEquals("va", text(reopened.get(bytes("a"))));
    }
  }

  @Test
  void manyScansAfterEachOtherTakeNoMemory() {
    put("a", "b");
    for (int i = 0; i < 50_000; i++) {
      try (Scan scan = db.scan(KeyRange.all())) {
        scan.next();
      }
    }
  }

  @Test
  void aScanFromTheEndOfARangeIsRefusedWhereTheEngineLooksInAnotherPrefix() {
    Options prefixes = Options.defaults().createIfMissing(true).prefixExtractor(PrefixExtractor.fixed(1));
    try (RocksDb other = RocksDb.open(folder.resolve("prefixes"), prefixes)) {
      other.put(bytes("b1"), bytes("v"));
      other.put(bytes("b2"), bytes("v"));
      Reader sameOnly = other.with(ReadOptions.defaults().prefixSameAsStart(true));
      KeyRange range = KeyRange.prefix(bytes("b"));
      try (Scan scan = sameOnly.scanBackward(range);
          Cursor cursor = sameOnly.cursor(range);
          Cursor all = sameOnly.cursor();
          Scan forward = sameOnly.scan(range)) {
        assertThrows(IllegalStateException.class, scan::next);
        assertThrows(IllegalStateException.class, cursor::last);
        assertTrue(cursor.seekForPrevious(bytes("b9")));
        assertEquals("b2", text(cursor.keyBytes()));
        assertTrue(all.last());
        assertTrue(forward.next());
      }
    }
  }
}
