/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Scan;
import org.rocksdbffm.tools.KeyKind;

/** Tests cursors at the ends of ranges, and the lifetime of their rows. */
class CursorTest extends IterationCase {
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
              default -> cursor.seek((MemorySegment) key);
            });
        assertEquals("d", text(cursor.keyBytes()));
        assertTrue(
            switch (key) {
              case byte[] array -> cursor.seekForPrevious(array);
              default -> cursor.seekForPrevious((MemorySegment) key);
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

  /** Reads with a new cursor, which would overwrite the memory of an earlier one if it reused that memory. */
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
}
