/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;

class KeyRangeTest {
  @Test
  void rangesOfTheSameKeysAreEqual() {
    KeyRange range = KeyRange.between(bytes("a"), bytes("b"));
    assertEquals(range, KeyRange.prefix(bytes("a")));
    assertEquals(range.hashCode(), KeyRange.prefix(bytes("a")).hashCode());
    assertNotEquals(range, KeyRange.from(bytes("a")));
  }

  @Test
  void keysAreCopied() {
    byte[] key = bytes("a");
    KeyRange range = KeyRange.from(key);
    key[0] = 'z';
    assertEquals(KeyRange.from(bytes("a")), range);
  }

  @Test
  void theTextShowsTheKeysInHexadecimal() {
    assertEquals("[61, 62)", KeyRange.prefix(bytes("a")).toString());
    assertEquals("[..., ...)", KeyRange.all().toString());
    assertEquals("[, ...)", KeyRange.from(new byte[0]).toString());
  }

  /** The methods of ranges and readers that take a segment, by the parameter. */
  private static List<Map.Entry<String, Consumer<MemorySegment>>> takers(KeyReader reader) {
    MemorySegment other = MemorySegment.ofArray(bytes("a"));
    return List.of(
        Map.entry("key", KeyRange::from),
        Map.entry("key", KeyRange::after),
        Map.entry("key", KeyRange::until),
        Map.entry("key", KeyRange::through),
        Map.entry("from", key -> KeyRange.between(key, other)),
        Map.entry("until", key -> KeyRange.between(other, key)),
        Map.entry("from", key -> KeyRange.closed(key, other)),
        Map.entry("through", key -> KeyRange.closed(other, key)),
        Map.entry("prefix", KeyRange::prefix),
        Map.entry("key", reader::get),
        Map.entry("key", key -> reader.getInto(key, other)),
        Map.entry("key", key -> reader.getInto(key, other, PinnedValue::close)),
        Map.entry("key", reader::getPinned),
        Map.entry("key", key -> reader.get(key, Arena.ofAuto())),
        Map.entry("key", key -> reader.get(key, MemorySegment::byteSize)),
        Map.entry("key", reader::contains),
        Map.entry("key", reader::mayExist),
        Map.entry("key", key -> reader.multiGet().add(key)),
        Map.entry("key", key -> {
          try (Cursor cursor = reader.cursor()) {
            cursor.seek(key);
          }
        }));
  }

  @Test
  void aSegmentThatIsTooLargeIsRefusedByTheNameOfItsParameter(@TempDir Path folder) {
    MemorySegment large = MemorySegment.NULL.reinterpret(4L << 30);
    try (RocksDb db = RocksDb.open(folder)) {
      takers(db).forEach(taker -> {
        var e = assertThrows(IllegalArgumentException.class, () -> taker.getValue().accept(large));
        assertEquals(taker.getKey() + ": 4294967296 bytes, but a key has at most 2147483647", e.getMessage());
      });
    }
  }

  @Test
  void aSegmentThatCannotBeReadIsRefusedByTheNameOfItsParameter(@TempDir Path folder) throws Exception {
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(8);
    }
    MemorySegment[] of = new MemorySegment[1];
    Thread.ofPlatform().start(() -> of[0] = Arena.ofConfined().allocate(8)).join();
    try (RocksDb db = RocksDb.open(folder)) {
      takers(db).forEach(taker -> {
        var e = assertThrows(IllegalStateException.class, () -> taker.getValue().accept(closed));
        assertEquals(taker.getKey() + ": the segment's arena is closed", e.getMessage());
        var another = assertThrows(WrongThreadException.class, () -> taker.getValue().accept(of[0]));
        assertEquals(taker.getKey() + ": the segment is confined to another thread", another.getMessage());
      });
      var e = assertThrows(IllegalStateException.class, () -> db.getInto(MemorySegment.ofArray(bytes("a")), closed));
      assertEquals("target: the segment's arena is closed", e.getMessage());
    }
  }

  @Test
  void noKeyIsRefused() {
    assertEquals("key", assertThrows(NullPointerException.class, () -> KeyRange.from((byte[]) null)).getMessage());
    var e = assertThrows(NullPointerException.class, () -> KeyRange.between(bytes("a"), null));
    assertEquals("until", e.getMessage());
    assertThrows(NullPointerException.class, () -> KeyRange.prefix((byte[]) null));
  }
}
