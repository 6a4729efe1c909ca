/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;

/** Tests loops and streams over scans. */
class ScanLoopTest extends IterationCase {
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

  /** A block of many rows is copied to the heap once, and the next block to the same array. */
  @Test
  void copiesOfRowsStayTheSameWhenLaterBlocksAreRead() {
    List<String> expected = IntStream.range(0, 500).mapToObj(i -> "%04d=%s".formatted(i, "v".repeat(i % 100))).toList();
    expected.forEach(row -> db.put(bytes(row.substring(0, 4)), bytes(row.substring(5))));
    assertEquals(expected, rowsOf(db.scan(KeyRange.all())));
    assertEquals(expected.reversed(), rowsOf(db.scanBackward(KeyRange.all())));
  }

  private static List<String> rowsOf(Scan scan) {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    scan.forEach(row -> {
      keys.add(row.keyBytes());
      values.add(row.valueBytes());
    });
    return IntStream.range(0, keys.size()).mapToObj(i -> text(keys.get(i)) + "=" + text(values.get(i))).toList();
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
    List<String> values =
        db.stream(KeyRange.all(), row -> text(row.valueBytes())).parallel().map(v -> v + "!").toList();
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
}
