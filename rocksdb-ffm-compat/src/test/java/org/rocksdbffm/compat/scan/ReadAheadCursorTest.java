/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.foreign.Memory;

/** Tests that a cursor reads nothing outside its memory, even if another thread moves the cursor concurrently. */
final class ReadAheadCursorTest {
  private static final int ROWS = 18; // two entries are requested when the last one is read
  private static final int ROOM = 800;

  @TempDir Path folder;

  /** Tries positions near the memory first, where a missing check would not crash. */
  @Test
  void aPlaceOutsideTheRoomIsNotSought() throws ReflectiveOperationException {
    int[][] places = {
      {ROOM - 1, 2}, {ROOM, 1}, {-1, 1}, {0, ROOM + 1}, {0, -1}, {Integer.MAX_VALUE, 1}, {1, Integer.MAX_VALUE},
      {Integer.MIN_VALUE, 1}, {Integer.MAX_VALUE, Integer.MAX_VALUE}
    };
    for (int[] place : places) {
      onLastRow(cursor -> {
        Field start = field(ReadAheadCursor.class, "start");
        Field size = field(ReadAheadCursor.class, "copiedKeySize");
        int startBefore = start.getInt(cursor);
        start.setInt(cursor, place[0]);
        size.setInt(cursor, place[1]);
        assertEquals(
            "the iterator was moved by another thread: it serves one at a time",
            assertThrows(IllegalStateException.class, cursor::previous).getMessage());
        start.setInt(cursor, startBefore);
        size.setInt(cursor, 1);
        assertArrayEquals(new byte[] {ROWS - 1}, cursor.copied(false));
        cursor.previous();
        assertArrayEquals(new byte[] {ROWS - 2}, cursor.copied(false));
      });
    }
  }

  private interface Use {
    void of(ReadAheadCursor cursor) throws ReflectiveOperationException;
  }

  /** Uses a cursor on the last entry, which has read ahead to the end. */
  private void onLastRow(Use use) throws ReflectiveOperationException {
    try (RocksDb db = RocksDb.open(folder)) {
      for (byte i = 0; i < ROWS; i++) {
        db.put(new byte[] {i}, new byte[] {i});
      }
      Database database = (Database) field(RocksDb.class, "database").get(db);
      MemorySegment options = RocksDbC.rocksdb_readoptions_create();
      MemorySegment iterator =
          RocksDbC.rocksdb_create_iterator_cf(database.pointer(), options, database.family(0).pointer());
      ReadAheadCursor cursor = new ReadAheadCursor(Memory.longAt(iterator.address()), ReadAheadCursor.Kind.LASTING);
      try {
        cursor.first();
        for (int i = 1; i < ROWS; i++) {
          cursor.next();
        }
        use.of(cursor);
      } finally {
        cursor.free();
        RocksDbC.rocksdb_iter_destroy(iterator);
        RocksDbC.rocksdb_readoptions_destroy(options);
      }
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
