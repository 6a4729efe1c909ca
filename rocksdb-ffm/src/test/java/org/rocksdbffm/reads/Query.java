/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.stream.Stream;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.Row;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.tools.KeyKind;
import org.rocksdbffm.tools.ReadKind;
import org.rocksdbffm.tools.SortedMapCheck;

/** A read with its arguments, whose result is compared with a sorted map. */
record Query(String text, Check check) {
  private static final ValueCodec<byte[]> VALUES =
      ValueCodec.inPlace(byte[]::clone, bytes -> bytes.toArray(ValueLayout.JAVA_BYTE));

  /** Fails unless the reader returns the rows of the map. */
  interface Check {
    void run(KeyReader reader, NavigableMap<byte[], byte[]> rows);
  }

  @Override
  public String toString() {
    return text;
  }

  static Query random(Random random, Keys keys) {
    Query query = random.nextInt(3) == 0 ? ofKeys(random, keys) : ofRange(random, keys);
    if (random.nextInt(3) > 0) {
      return query;
    }
    ReadOptions options = options(random);
    return new Query(query.text + " with " + options, (reader, rows) -> query.check.run(reader.with(options), rows));
  }

  private static ReadOptions options(Random random) {
    ReadOptions options = ReadOptions.defaults();
    return switch (random.nextInt(5)) {
      case 0 -> options.fillCache(false).adaptiveReadahead(true);
      case 1 -> options.readahead(ByteSize.kib(16)).autoReadahead(false);
      case 2 -> options.pinData(true);
      case 3 -> options.asyncIo(true);
      default -> options.purgeInBackground(true);
    };
  }

  private static Query ofKeys(Random random, Keys keys) {
    byte[] key = keys.next(random);
    String name = Keys.hex(key);
    List<byte[]> several = Stream.generate(() -> keys.next(random)).limit(random.nextInt(12)).toList();
    return switch (random.nextInt(5)) {
      case 0 -> new Query("contains and mayExist " + name, (reader, rows) -> {
        assertEquals(rows.containsKey(key), reader.contains(key));
        assertTrue(reader.mayExist(key) || !rows.containsKey(key));
        assertArrayEquals(rows.get(key), reader.async(Runnable::run, 1).get(key).join());
        assertArrayEquals(rows.get(key), typed(reader).get(key));
      });
      case 1 -> new Query("multiGet " + several.stream().map(Keys::hex).toList(), (reader, rows) -> {
        assertValues(several, rows, reader.multiGet(several));
        MultiGet request = reader.multiGet();
        several.forEach(request::add);
        try (PinnedValues found = request.get()) {
          assertValues(several, rows, found.toList());
        }
        assertValues(several, rows, typed(reader).multiGet(several));
      });
      default -> {
        ReadKind kind = ReadKind.values()[random.nextInt(ReadKind.values().length)];
        KeyKind memory = KeyKind.values()[random.nextInt(KeyKind.values().length)];
        yield new Query("get " + kind + " " + memory + " " + name, (reader, rows) ->
            assertArrayEquals(rows.get(key), (kind.pinsBehind() ? ReadKind.INTO : kind).read(reader, memory.of(key))));
      }
    };
  }

  private static void assertValues(List<byte[]> keys, NavigableMap<byte[], byte[]> rows, List<byte[]> found) {
    assertEquals(keys.size(), found.size());
    for (int i = 0; i < keys.size(); i++) {
      assertArrayEquals(rows.get(keys.get(i)), found.get(i), Keys.hex(keys.get(i)));
    }
  }

  private static Query ofRange(Random random, Keys keys) {
    RangeOfRows range = RangeOfRows.random(random, keys);
    long seed = random.nextLong();
    int size = 1 + random.nextInt(5);
    byte[] after = keys.next(random);
    return switch (random.nextInt(8)) {
      case 0 -> of("scanBackward", range, (reader, check) -> check.assertBackward(reader.scanBackward(check.range())));
      case 1 -> of("stream", range, (reader, check) -> {
        assertKeys(check.rows(), reader.stream(check.range(), Row::keyBytes));
        assertEquals(check.rows().size(), reader.stream(check.range(), Row::keySize).count());
        List<byte[]> looped = new ArrayList<>();
        reader.scan(check.range()).forEach(row -> looped.add(row.keyBytes()));
        assertKeys(check.rows(), looped.stream());
      });
      case 2 -> of("typed streams", range, (reader, check) -> {
        assertKeys(check.rows(), typed(reader).stream(check.range()).map(TypedReader.Entry::key));
        assertKeys(check.rows().descendingMap(),
            typed(reader).streamBackward(check.range()).map(TypedReader.Entry::key));
        assertKey(check.rows().firstEntry(), typed(reader).first(check.range()));
        assertKey(check.rows().lastEntry(), typed(reader).last(check.range()));
      });
      case 3 -> of("pages of " + size + " after " + Keys.hex(after), range, (reader, check) -> {
        assertKeys(check.rows(), pages(typed(reader), check.range(), size).stream());
        List<String> rest = check.rows().tailMap(after, false).keySet().stream().limit(size).map(Keys::hex).toList();
        assertEquals(rest,
            typed(reader).page(check.range(), after, size).stream().map(row -> Keys.hex(row.key())).toList());
      });
      case 4, 5 -> of("cursor, walk " + seed, range, (reader, check) -> {
        try (Cursor cursor = reader.cursor(check.range())) {
          Random moves = new Random(seed);
          check.walk(cursor, moves, keys::next, 20, 10);
        }
      });
      default -> of("scan", range, (reader, check) -> check.assertForward(reader.scan(check.range())));
    };
  }

  private static TypedReader<byte[], byte[]> typed(KeyReader reader) {
    return reader.typed(KeyCodec.bytes(), VALUES);
  }

  private interface RangeCheck {
    void run(KeyReader reader, SortedMapCheck check);
  }

  private static Query of(String name, RangeOfRows range, RangeCheck check) {
    return new Query(name + " " + range.range(), (reader, rows) ->
        check.run(reader, new SortedMapCheck(range.range(), range.of(rows))));
  }

  private static void assertKey(Map.Entry<byte[], byte[]> row, TypedReader.Entry<byte[], byte[]> found) {
    assertArrayEquals(row == null ? null : row.getKey(), found == null ? null : found.key());
  }

  private static void assertKeys(NavigableMap<byte[], byte[]> rows, Stream<byte[]> found) {
    assertEquals(rows.keySet().stream().map(Keys::hex).toList(), found.map(Keys::hex).toList());
  }

  /**
   * Returns the keys of a range, read in pages of a few rows; each page starts after the last row of the previous one.
   */
  private static List<byte[]> pages(TypedReader<byte[], byte[]> reader, KeyRange range, int size) {
    List<byte[]> keys = new ArrayList<>();
    var page = reader.page(range, size);
    while (!page.isEmpty()) {
      page.forEach(row -> keys.add(row.key()));
      page = page.size() < size ? List.of() : reader.page(range, keys.getLast(), size);
    }
    return keys;
  }
}
