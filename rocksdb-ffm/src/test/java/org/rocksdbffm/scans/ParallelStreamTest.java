/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Spliterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests parallel streams: each row is read exactly once, in order, and all parts read the same snapshot. */
@ExtendWith(LiveObjectsCheck.class)
final class ParallelStreamTest {
  private static final int ROWS = 20_000;
  private static final KeyComparator COMPARATOR = ByteView::compareTo;

  @TempDir Path folder;

  /** Families with the key orders for which ranges are split differently. */
  enum Kind {
    BYTEWISE(FamilyOptions.defaults()),
    PREFIXES(FamilyOptions.defaults().prefixExtractor(PrefixExtractor.fixed(4))),
    REVERSE(FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE)),
    JAVA(FamilyOptions.defaults().keyOrder("bytes", COMPARATOR));

    final FamilyOptions options;

    Kind(FamilyOptions options) {
      this.options = options.writeBufferSize(ByteSize.kib(512)).option("target_file_size_base", "262144");
    }
  }

  private RocksDb open(Kind kind) {
    return RocksDb.at(folder.resolve(kind.name())).defaults(kind.options).open();
  }

  private static byte[] key(int row) {
    return bytes("%05d".formatted(row));
  }

  private static void fill(KeyWriter keys) {
    byte[] value = new byte[100];
    Random random = new Random(1);
    for (int row = 0; row < ROWS; row++) {
      random.nextBytes(value);
      keys.put(key(row), value);
    }
  }

  private static String key(Row row) {
    return text(row.keyBytes());
  }

  /** Splits as often as the stream offers, and returns the parts in order. */
  private static <T> List<Spliterator<T>> parts(Spliterator<T> rows) {
    Spliterator<T> prefix = rows.trySplit();
    if (prefix == null) {
      return List.of(rows);
    }
    List<Spliterator<T>> parts = new ArrayList<>(parts(prefix));
    parts.addAll(parts(rows));
    return parts;
  }

  @ParameterizedTest
  @EnumSource
  void aLargeRangeIsDividedAndEachRowIsInExactlyOnePart(Kind kind) {
    try (RocksDb db = open(kind)) {
      fill(db);
      db.compact(KeyRange.all());
      List<String> expected = db.stream(KeyRange.all(), ParallelStreamTest::key).toList();
      assertEquals(ROWS, expected.size());
      try (Stream<String> rows = db.stream(KeyRange.all(), ParallelStreamTest::key)) {
        List<Spliterator<String>> parts = parts(rows.spliterator());
        List<String> found = new ArrayList<>();
        int most = 0;
        for (Spliterator<String> part : parts) {
          int before = found.size();
          part.forEachRemaining(found::add);
          most = Math.max(most, found.size() - before);
        }
        assertEquals(expected, found);
        assertTrue(parts.size() >= 4, parts::toString);
        assertTrue(most <= ROWS / 2, "of " + ROWS + " rows, one of " + parts.size() + " parts has " + most);
      }
      assertEquals(expected, db.stream(KeyRange.all(), ParallelStreamTest::key).parallel().toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPartOfTheRangeHasItsEndsAndItsOrder(Kind kind) {
    try (RocksDb db = open(kind)) {
      fill(db);
      Random random = new Random(2);
      TypedReader<byte[], byte[]> typed = db.typed(KeyCodec.bytes(), KeyCodec.bytes());
      for (int i = 0; i < 20; i++) {
        byte[] from = key(random.nextInt(ROWS));
        byte[] until = key(random.nextInt(ROWS));
        KeyRange range = KeyRange.between(from, until);
        range = i % 2 == 0 ? range.includingEnd() : range;
        range = i % 3 == 0 ? range.excludingStart() : range;
        List<String> expected = db.stream(range, ParallelStreamTest::key).toList();
        assertEquals(expected, db.stream(range, ParallelStreamTest::key).parallel().toList(), range::toString);
        try (Stream<TypedReader.Entry<byte[], byte[]>> rows = typed.streamBackward(range)) {
          assertEquals(expected.reversed(), rows.parallel().map(row -> text(row.key())).toList(), range::toString);
        }
      }
      String prefix = "012";
      assertEquals(
          kind == Kind.REVERSE ? 0 : 100,
          db.stream(KeyRange.prefix(bytes(prefix)), ParallelStreamTest::key).parallel().count());
    }
  }

  @Test
  void allPartsShowOneStateWhileRowsAreWritten() throws Exception {
    try (RocksDb db = open(Kind.BYTEWISE)) {
      fill(db);
      AtomicBoolean isEnough = new AtomicBoolean();
      CountDownLatch written = new CountDownLatch(1);
      Thread writer =
          Thread.ofPlatform().start(() -> {
            for (int round = 0; !isEnough.get(); round++) {
              WriteBatch batch = new WriteBatch();
              for (int row = 0; row < ROWS; row += 500) {
                batch.put(bytes("%05d-marker".formatted(row)), bytes("" + round));
                batch.put(bytes("%05d-%d".formatted(row, round)), new byte[100]);
                batch.delete(bytes("%05d-%d".formatted(row, round - 1)));
              }
              db.write(batch);
              written.countDown();
            }
          });
      try {
        written.await();
        for (int i = 0; i < 20; i++) {
          List<String> rows =
              db.stream(KeyRange.all(), row -> key(row)
                  + (key(row).endsWith("-marker") ? "=" + text(row.valueBytes()) : ""))
                  .parallel()
                  .toList();
          List<String> markers = rows.stream().filter(row -> row.contains("=")).toList();
          assertEquals(ROWS / 500, markers.size());
          String round = markers.getFirst().split("=")[1];
          assertEquals(List.of(), markers.stream().filter(row -> !row.endsWith("=" + round)).toList());
          assertEquals(ROWS, rows.stream().filter(row -> !row.contains("-")).distinct().count());
          assertEquals(ROWS + 2 * (ROWS / 500), rows.size());
        }
      } finally {
        isEnough.set(true);
        writer.join();
      }
    }
  }

  @Test
  void aStreamOfASnapshotShowsTheSnapshot() {
    try (RocksDb db = open(Kind.BYTEWISE)) {
      fill(db);
      try (Snapshot snapshot = db.snapshot()) {
        db.deleteRange(key(0), key(ROWS));
        assertEquals(ROWS, snapshot.stream(KeyRange.all(), Row::keySize).parallel().count());
        assertEquals(ROWS, snapshot.scanBackward(KeyRange.all()).stream(Row::keySize).parallel().count());
        assertEquals(0, db.stream(KeyRange.all(), Row::keySize).parallel().count());
      }
    }
  }

  @Test
  void aScanOfTheUserIsReadAsItWasOpened() {
    try (RocksDb db = open(Kind.BYTEWISE)) {
      fill(db);
      Scan scan = db.scan(KeyRange.all());
      db.deleteRange(key(0), key(ROWS));
      assertEquals(ROWS, scan.stream(Row::keySize).parallel().count());
    }
  }

  @Test
  void whatIsWrittenInATransactionIsReadByOneThread() {
    try (OptimisticTransactionDb db = RocksDb.at(folder.resolve("db")).openOptimistic();
        Transaction transaction = db.begin()) {
      fill(db);
      transaction.put(bytes("99999"), bytes("v"));
      assertNull(transaction.stream(KeyRange.all(), ParallelStreamTest::key).spliterator().trySplit());
      List<String> keys = transaction.stream(KeyRange.all(), ParallelStreamTest::key).parallel().toList();
      assertEquals(ROWS + 1, keys.size());
      assertEquals("99999", keys.getLast());
    }
  }

  @Test
  void aStreamThatEndsEarlierClosesAllItsScans() {
    try (RocksDb db = open(Kind.BYTEWISE)) {
      fill(db);
      try (Stream<String> rows = db.stream(KeyRange.all(), ParallelStreamTest::key)) {
        assertEquals("00007", rows.parallel().filter(key -> key.endsWith("7")).findFirst().orElseThrow());
      }
      List<Spliterator<String>> parts;
      try (Stream<String> rows = db.stream(KeyRange.all(), ParallelStreamTest::key)) {
        parts = parts(rows.spliterator());
        assertTrue(parts.getFirst().tryAdvance(key -> assertEquals("00000", key)));
        assertTrue(parts.getLast().tryAdvance(key -> assertNotNull(key)));
        assertNull(parts.getLast().trySplit(), "a part of which rows were read");
      }
      assertThrows(IllegalStateException.class, () -> parts.getFirst().tryAdvance(key -> {}));
      assertThrows(IllegalStateException.class, () -> parts.get(1).tryAdvance(key -> {}));
      try (Stream<Object> rows =
          db.stream(KeyRange.all(), row -> { throw new UnsupportedOperationException("mine"); })) {
        assertThrows(UnsupportedOperationException.class, () -> rows.parallel().toList());
      }
    }
  }

  @Test
  void aRangeOfFewRowsStaysWhole() {
    try (RocksDb db = open(Kind.BYTEWISE)) {
      for (Function<RocksDb, Stream<String>> stream :
          List.<Function<RocksDb, Stream<String>>>of(
              reader -> reader.stream(KeyRange.all(), ParallelStreamTest::key),
              reader -> reader.stream(KeyRange.between(key(5), key(7)), ParallelStreamTest::key))) {
        assertEquals(Collections.emptyList(), stream.apply(db).parallel().toList());
      }
      IntStream.range(0, 10).forEach(row -> db.put(key(row), key(row)));
      try (Stream<String> rows = db.stream(KeyRange.all(), ParallelStreamTest::key)) {
        Spliterator<String> whole = rows.spliterator();
        assertFalse(whole.hasCharacteristics(Spliterator.SIZED));
        assertTrue(whole.hasCharacteristics(Spliterator.ORDERED));
        assertNull(whole.trySplit());
        assertNull(whole.trySplit());
      }
      assertEquals(10, db.stream(KeyRange.all(), ParallelStreamTest::key).parallel().count());
    }
  }
}
