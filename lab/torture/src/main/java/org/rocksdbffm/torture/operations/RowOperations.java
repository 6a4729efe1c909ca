/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.stream.Stream;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Client;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.Unsure;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Cursors and scans of one client, checked against the model, and shared ones, which clients move concurrently. */
public final class RowOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("openCursor", 40, RowOperations::openCursor),
          new Operation("openScan", 40, RowOperations::openScan),
          new Operation("scanAll", 40, RowOperations::scanAll),
          new Operation("stream", 30, RowOperations::stream),
          new Operation("scanRanges", 10, RowOperations::scanRanges),
          new Operation("mergedScan", 10, RowOperations::mergedScan),
          new Operation("loop", 30, RowOperations::loop),
          new Operation("noSpliterator", 2, RowOperations::noSpliterator),
          new Operation("moveCursor", 200, RowOperations::moveCursor),
          new Operation("moveScan", 120, RowOperations::moveScan),
          new Operation("refresh", 10, RowOperations::refresh),
          new Operation("useShared", 150, RowOperations::useShared),
          new Operation("closeShared", 10, RowOperations::closeShared),
          new Operation("readForeign", 40, RowOperations::readForeign));

  /** The message about read options with which the engine would seek the last row in the wrong range. */
  private static final String NO_LAST_ROW = "(?s).* cannot look for the last row: .*";

  private RowOperations() {}

  static NavigableMap<byte[], byte[]> rowsAt(Place place, Attempt attempt) {
    int client = place.clientSeenBy(attempt.client.number);
    NavigableMap<byte[], byte[]> copy = FamilyModel.empty();
    copy.putAll(
        place
            .rowsSeenBy(attempt.client.number)
            .subMap(new byte[] {'K', (byte) client}, new byte[] {'K', (byte) (client + 1)}));
    return copy;
  }

  static Place placeToRead(Attempt attempt) {
    Place place = attempt.world.anyPlace(attempt.random);
    for (int i = 0; i < 10 && !place.exact; i++) {
      place = attempt.world.anyPlace(attempt.random);
    }
    return place.exact ? place : attempt.world.anySlot(attempt.random).place;
  }

  /** Scans the client's keys in two adjacent ranges. */
  private static void scanRanges(Attempt attempt) {
    Place place = placeToRead(attempt);
    int client = place.clientSeenBy(attempt.client.number);
    NavigableMap<byte[], byte[]> found = FamilyModel.empty();
    byte[] middle = ClientBytes.key(client, attempt.random.nextInt(ClientBytes.KEYS));
    List<KeyRange> ranges =
        List.of(
            KeyRange.between(new byte[] {'K', (byte) client}, middle),
            KeyRange.between(middle, new byte[] {'K', (byte) (client + 1)}));
    NavigableMap<byte[], byte[]> expected = rowsAt(place, attempt);
    attempt.use(place).scan(ranges, row -> found.put(row.keyBytes(), row.valueBytes()));
    attempt.check(expected.size() == found.size(), "the number of rows in two ranges");
    expected.forEach((key, value) -> attempt.check(value, found.get(key), "a row of two ranges"));
  }

  private static void keep(AutoCloseable rows, Place place, Attempt attempt) {
    int of = place.clientSeenBy(attempt.client.number);
    if (attempt.oneIn(3)) {
      attempt.world.add(attempt.world.rows, new Held<>(rows, place.database), attempt);
    } else {
      NavigableMap<byte[], byte[]> expected = rowsAt(place, attempt);
      attempt.client.own(new Client.Own<>(new Held<>(rows, place.database), place, of, expected));
    }
  }

  private static void openCursor(Attempt attempt) {
    Place place = placeToRead(attempt);
    attempt.use(place);
    if (attempt.oneIn(5)) {
      place.object.cursor().close();
    }
    keep(place.object.cursor(ClientBytes.range(place.clientSeenBy(attempt.client.number))), place, attempt);
  }

  private static void openScan(Attempt attempt) {
    Place place = placeToRead(attempt);
    attempt.use(place);
    keep(place.object.scan(ClientBytes.range(place.clientSeenBy(attempt.client.number))), place, attempt);
  }

  private static void scanAll(Attempt attempt) {
    Place place = placeToRead(attempt);
    KeyReader reader = attempt.use(place);
    KeyRange range = ClientBytes.range(place.clientSeenBy(attempt.client.number));
    NavigableMap<byte[], byte[]> rows = rowsAt(place, attempt);
    if (attempt.oneIn(2)) {
      byte[] from =
          ClientBytes.key(place.clientSeenBy(attempt.client.number), attempt.random.nextInt(ClientBytes.KEYS / 2));
      byte[] to =
          ClientBytes.key(place.clientSeenBy(attempt.client.number), ClientBytes.KEYS / 2
              + attempt.random.nextInt(ClientBytes.KEYS / 2));
      boolean excluding = attempt.oneIn(2);
      range = excluding ? KeyRange.closed(from, to).excludingStart() : KeyRange.closed(from, to);
      rows = rows.subMap(from, !excluding, to, true);
    }
    attempt.allow(IllegalStateException.class, NO_LAST_ROW);
    boolean backward = attempt.oneIn(2);
    int stopAfter = attempt.oneIn(3) ? attempt.random.nextInt(30) : Integer.MAX_VALUE;
    try (Scan scan = backward ? reader.scanBackward(range) : reader.scan(range)) {
      for (Map.Entry<byte[], byte[]> row : (backward ? rows.descendingMap() : rows).entrySet()) {
        if (stopAfter-- == 0) {
          return;
        }
        attempt.check(scan.next(), "a row is missing");
        check(scan, row, attempt);
      }
      attempt.check(!scan.next(), "a row too many");
    }
  }

  private static void check(Row at, Map.Entry<byte[], byte[]> row, Attempt attempt) {
    switch (attempt.random.nextInt(3)) {
      case 0 -> {
        attempt.check(row.getKey(), at.keyBytes(), "key of a row");
        attempt.check(row.getValue(), at.valueBytes(), "value of a row");
      }
      case 1 -> {
        attempt.check(row.getKey(), at.key(), "key of a row");
        attempt.check(row.getValue(), at.value(), "value of a row");
      }
      default -> {
        attempt.check(row.getKey().length == at.keySize(), "key size of a row");
        attempt.check(row.getValue().length == at.valueSize(), "value size of a row");
      }
    }
  }

  /** Reads a stream whose mapper may close the database or the stream. */
  private static void stream(Attempt attempt) {
    Place place = placeToRead(attempt);
    attempt.use(place);
    KeyRange range = ClientBytes.range(place.clientSeenBy(attempt.client.number));
    NavigableMap<byte[], byte[]> rows = rowsAt(place, attempt);
    if (attempt.oneIn(4)) {
      attempt.check(place.object.count(range) == rows.size(), "a wrong number of rows");
    }
    boolean closes = attempt.oneIn(60);
    try (Stream<byte[]> keys =
        attempt.oneIn(2)
            ? place.object.stream(range, row -> keyOf(row, closes, place, attempt))
            : place.object.scan(range).stream(row -> keyOf(row, closes, place, attempt))) {
      if (attempt.oneIn(2)) {
        List<byte[]> all = (closes || attempt.oneIn(2) ? keys : keys.parallel()).toList();
        attempt.check(all.size() == rows.size(), all.size() + " rows in a stream instead of " + rows.size());
      } else {
        keys.limit(3).forEach(key -> attempt.check(rows.containsKey(key), "a key that should not be there"));
      }
    }
  }

  /** Reads a place twice in one stream: each row comes twice, one after the other. */
  private static void mergedScan(Attempt attempt) {
    Place place = placeToRead(attempt);
    KeyReader reader = attempt.use(place);
    NavigableMap<byte[], byte[]> rows = rowsAt(place, attempt);
    KeyRange range = ClientBytes.range(place.clientSeenBy(attempt.client.number));
    try (Stream<byte[]> keys = Scan.merged(List.of(reader, reader), range, (one, row) -> row.keyBytes())) {
      List<byte[]> all = keys.toList();
      attempt.check(all.size() == 2 * rows.size(), all.size() + " rows in a merged stream of twice " + rows.size());
      for (int i = 0; i < all.size(); i += 2) {
        attempt.check(all.get(i), all.get(i + 1), "a key of a merged stream");
      }
    }
  }

  /** Reads rows in a loop, which may end early, or with an action, which may close the database. */
  private static void loop(Attempt attempt) {
    Place place = placeToRead(attempt);
    KeyReader reader = attempt.use(place);
    Iterator<Map.Entry<byte[], byte[]>> expected = rowsAt(place, attempt).entrySet().iterator();
    KeyRange range = ClientBytes.range(place.clientSeenBy(attempt.client.number));
    if (attempt.oneIn(3)) {
      boolean closes = attempt.oneIn(60);
      reader.scan(range).forEach(row -> {
        check(row, expected.next(), attempt);
        keyOf(row, closes, place, attempt);
      });
    } else {
      int left = attempt.oneIn(2) ? attempt.random.nextInt(20) : Integer.MAX_VALUE;
      try (Scan rows = reader.scan(range)) {
        for (Row row : rows) {
          check(row, expected.next(), attempt);
          if (left-- == 0) {
            return;
          }
        }
      }
    }
    attempt.check(!expected.hasNext(), "a loop that ended before the last row");
  }

  private static void noSpliterator(Attempt attempt) {
    try (Scan rows = attempt.use(placeToRead(attempt)).scan(KeyRange.all())) {
      rows.spliterator();
    } catch (UnsupportedOperationException e) {
      return;
    }
    throw new WrongAnswer("a scan has a spliterator");
  }

  private static byte[] keyOf(Row row, boolean closes, Place place, Attempt attempt) {
    byte[] key = row.keyBytes();
    if (closes) {
      place.database.close(attempt.world.tally);
    }
    return key;
  }

  private static void moveCursor(Attempt attempt) {
    Client.Own<Cursor> own = attempt.client.own(Cursor.class, attempt);
    if (own == null) {
      return;
    }
    Cursor cursor = attempt.use(own.held());
    attempt.touch(own.place());
    byte[] key = ClientBytes.key(own.of(), attempt.random.nextInt(ClientBytes.KEYS));
    Map.Entry<byte[], byte[]> row;
    boolean found;
    switch (attempt.random.nextInt(8)) {
      case 0 -> {
        found = cursor.first();
        row = own.rows().firstEntry();
      }
      case 1 -> {
        found = cursor.last();
        row = own.rows().lastEntry();
      }
      case 2, 3, 4 -> {
        found =
            switch (attempt.random.nextInt(3)) {
              case 0 -> cursor.seek(key);
              case 1 -> cursor.seek(ClientBytes.segment(key, attempt));
              default -> cursor.seek(ClientBytes.buffer(key, attempt));
            };
        row = own.rows().ceilingEntry(key);
      }
      default -> {
        found =
            switch (attempt.random.nextInt(3)) {
              case 0 -> cursor.seekForPrevious(key);
              case 1 -> cursor.seekForPrevious(ClientBytes.segment(key, attempt));
              default -> cursor.seekForPrevious(ClientBytes.buffer(key, attempt));
            };
        row = own.rows().floorEntry(key);
      }
    }
    for (int i = attempt.random.nextInt(6); checkRow(cursor, found, row, attempt) && i > 0; i--) {
      boolean forward = attempt.oneIn(2);
      found = forward ? cursor.next() : cursor.previous();
      row = forward ? own.rows().higherEntry(row.getKey()) : own.rows().lowerEntry(row.getKey());
    }
    if (cursor.hasRow() && attempt.oneIn(3)) {
      attempt.world.add(attempt.world.segments, new Held<>(cursor.value()), attempt);
    }
    if (attempt.oneIn(10)) {
      cursor.releaseRow();
    }
    if (!cursor.hasRow()) {
      attempt.allow(IllegalStateException.class, "(?s).* is not at a row.*");
      cursor.next();
      throw new WrongAnswer("a cursor went on from nowhere");
    }
  }

  /** Returns whether the cursor is at a row; fails if the model differs. */
  private static boolean checkRow(Row at, boolean found, Map.Entry<byte[], byte[]> row, Attempt attempt) {
    attempt.check(found == (row != null), "whether there is a row");
    if (found) {
      check(at, row, attempt);
    }
    return found;
  }

  private static void moveScan(Attempt attempt) {
    Client.Own<Scan> own = attempt.client.own(Scan.class, attempt);
    if (own == null) {
      return;
    }
    Scan scan = attempt.use(own.held());
    attempt.touch(own.place());
    for (int i = attempt.random.nextInt(20); i >= 0; i--) {
      if (!scan.next()) {
        return;
      }
      byte[] key = scan.keyBytes();
      byte[] value = own.rows().get(key);
      attempt.check(value != null, "a key that should not be there");
      attempt.check(value, scan.value(), "value of a scan");
    }
    scan.releaseRow();
  }

  private static void refresh(Attempt attempt) {
    Client.Own<Cursor> own = attempt.client.own(Cursor.class, attempt);
    if (own == null) {
      return;
    }
    Cursor cursor = attempt.use(own.held());
    attempt.touch(own.place());
    if (own.place().point != null) {
      attempt.allow(IllegalStateException.class, "(?s).* reads at a snapshot.*");
    }
    cursor.refresh();
    NavigableMap<byte[], byte[]> now = rowsAt(own.place(), attempt);
    own.rows().clear();
    own.rows().putAll(now);
    attempt.check(!cursor.hasRow(), "a row after a refresh");
  }

  /** Does not check rows, because another client may move or close the cursor concurrently. */
  private static void useShared(Attempt attempt) {
    Held<? extends AutoCloseable> held = attempt.world.rows.any(attempt.random);
    if (held == null) {
      return;
    }
    attempt.allow(IllegalStateException.class, NO_LAST_ROW);
    attempt.touch(new Unsure(held)); // the cursor's family or snapshot may be closed
    byte[] key = WriteOperations.anyKey(attempt);
    switch (attempt.share(held)) {
      case Cursor cursor -> {
        switch (attempt.random.nextInt(12)) {
          case 0 -> cursor.first();
          case 1 -> cursor.last();
          case 2 -> cursor.seek(key);
          case 3 -> cursor.seekForPrevious(MemorySegment.ofBuffer(ByteBuffer.wrap(key)));
          case 4 -> cursor.previous();
          case 5 -> {
            attempt.allow(IllegalStateException.class, "(?s).* reads at a snapshot.*");
            cursor.refresh();
          }
          case 6 -> cursor.releaseRow();
          case 7 -> cursor.hasRow();
          case 8 -> readShared(cursor, attempt);
          default -> cursor.next();
        }
      }
      case Scan scan -> {
        switch (attempt.random.nextInt(6)) {
          case 0 -> scan.releaseRow();
          case 1 -> readShared(scan, attempt);
          default -> scan.next();
        }
      }
      default -> throw new AssertionError(held.object);
    }
  }

  private static void readShared(Row row, Attempt attempt) {
    attempt.allow(IllegalStateException.class, "Already closed");
    row.keySize();
    row.valueSize();
    row.keyBytes();
    MemorySegment value = row.value();
    attempt.world.add(attempt.world.segments, new Held<>(value), attempt);
    read(value);
  }

  private static void closeShared(Attempt attempt) {
    Held<? extends AutoCloseable> held = attempt.world.rows.any(attempt.random);
    if (held != null) {
      held.close(attempt.world.tally);
    }
  }

  /** Reads a segment of a row or value, mostly from another thread; its memory may already be released. */
  private static void readForeign(Attempt attempt) {
    Held<MemorySegment> segment = attempt.world.segments.any(attempt.random);
    if (segment != null) {
      attempt.allow(IllegalStateException.class, "Already closed");
      attempt.allow(WrongThreadException.class, "(?s).*");
      read(segment.object);
    }
  }

  static void read(MemorySegment bytes) {
    if (bytes.byteSize() > 0) {
      bytes.get(ValueLayout.JAVA_BYTE, 0);
      bytes.get(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1);
    }
  }
}
