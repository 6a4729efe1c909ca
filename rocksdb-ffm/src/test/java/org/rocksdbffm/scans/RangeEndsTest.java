/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.Order;
import org.rocksdbffm.tools.SortedMapCheck;

/** Tests ranges with inclusive, exclusive and open ends, in every kind of key order. */
class RangeEndsTest {
  private static final byte[] BYTES_OF_KEYS = {0, 1, 'a', (byte) 0xfe, (byte) 0xff};
  private static final int LARGE = 3000;

  @TempDir Path folder;

  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = BYTES_OF_KEYS[random.nextInt(BYTES_OF_KEYS.length)];
    }
    return key;
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(8) == 0 ? LARGE : random.nextInt(20)];
    random.nextBytes(value);
    return value;
  }

  private static TreeMap<byte[], byte[]> fill(Order order, KeyWriter writer, Random random, int rows) {
    TreeMap<byte[], byte[]> model = new TreeMap<>(order.comparator);
    for (int i = 0; i < rows; i++) {
      byte[] key = key(random);
      byte[] value = value(random);
      writer.put(key, value);
      model.put(key, value);
      if (writer instanceof RocksDb db && random.nextInt(40) == 0) {
        db.flush();
      }
    }
    return model;
  }

  /** Returns a random range, and its part of the model. */
  private static SortedMapCheck randomRange(TreeMap<byte[], byte[]> model, Random random) {
    byte[] from = random.nextInt(4) == 0 ? null : key(random);
    byte[] until = random.nextInt(4) == 0 ? null : key(random);
    boolean excluding = random.nextBoolean();
    boolean including = random.nextBoolean();
    KeyRange range =
        from == null
            ? until == null ? KeyRange.all() : KeyRange.until(until)
            : until == null ? KeyRange.from(from) : KeyRange.between(from, until);
    range = excluding ? range.excludingStart() : range;
    range = including ? range.includingEnd() : range;
    TreeMap<byte[], byte[]> rows = new TreeMap<>(model.comparator());
    model.forEach((key, value) -> {
      int low = from == null ? 1 : model.comparator().compare(key, from);
      int high = until == null ? -1 : model.comparator().compare(key, until);
      if ((low > 0 || low == 0 && !excluding) && (high < 0 || high == 0 && including)) {
        rows.put(key, value);
      }
    });
    return new SortedMapCheck(range, rows);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void valuesThatAreWrittenOutAreThoseOfTheRange(Order order) throws IOException {
    Random random = new Random(order.ordinal());
    Path written = folder.resolve("written");
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(order.options()).open()) {
      TreeMap<byte[], byte[]> model = fill(order, db, random, 60);
      for (int round = 0; round < 20; round++) {
        SortedMapCheck check = randomRange(model, random);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        check.rows().values().forEach(expected::writeBytes);
        try (Scan scan = db.scan(check.range());
            FileChannel channel =
                FileChannel.open(
                    written, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
          scan.writeValuesTo(channel);
        }
        assertArrayEquals(expected.toByteArray(), Files.readAllBytes(written));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void aTransactionThatIsWrittenWhileItIsScannedStaysWithinTheRange(Order order) {
    Random random = new Random(order.ordinal());
    try (TransactionDb db = RocksDb.at(folder).defaults(order.options()).openTransactional();
        Transaction transaction = db.begin()) {
      TreeMap<byte[], byte[]> model = fill(order, db, random, 60);
      for (int round = 0; round < 100; round++) {
        SortedMapCheck check = randomRange(model, random);
        int found = 0;
        try (Scan scan = round % 2 == 0 ? transaction.scan(check.range()) : transaction.scanBackward(check.range())) {
          while (scan.next()) {
            assertArrayEquals(check.rows().get(scan.keyBytes()), scan.valueBytes(), check.range().toString());
            transaction.put(scan.keyBytes(), scan.valueBytes());
            found++;
          }
        }
        assertEquals(check.rows().size(), found, check.range().toString());
      }
    }
  }

  private static String hex(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  @Test
  void aBatchThatDoesNotKnowTheOrderDeletesAnEndButNotBehindAKey() {
    try (RocksDb db = RocksDb.open(folder)) {
      List.of("a", "b", "c").forEach(key -> db.put(key.getBytes(), new byte[0]));
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(KeyRange.closed("a".getBytes(), "b".getBytes()));
      assertEquals(2, batch.count());
      KeyRange behind = KeyRange.closed("a".getBytes(), "b".getBytes()).excludingStart();
      var e = assertThrowsExactly(IllegalArgumentException.class, () -> batch.deleteRange(behind));
      assertTrue(e.getMessage().startsWith("range: (61, 62] begins behind a key"), e.getMessage());
      db.write(batch);
      assertEquals(List.of("63"), db.stream(KeyRange.all(), row -> hex(row.keyBytes())).toList());
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void tablesTakeRangesWithTheirEndWhereKeysAreBytes(Order order) {
    try (TableWriter table = TableWriter.create(folder.resolve("table.sst"), order.options())) {
      KeyRange range = KeyRange.closed(new byte[] {1}, new byte[] {1});
      if (order == Order.BYTES) {
        table.deleteRange(range);
        assertEquals(1, table.finish().rangeDeletions());
      } else {
        var e = assertThrowsExactly(IllegalArgumentException.class, () -> table.deleteRange(range));
        assertTrue(e.getMessage().startsWith("range: [01, 01] has its end"), e.getMessage());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void sizesAndCompactionsTakeEveryRange(Order order) {
    Random random = new Random(order.ordinal());
    try (RocksDb db = RocksDb.at(folder).defaults(order.options()).open()) {
      assertEquals(ByteSize.bytes(0), db.files().approximateSize(KeyRange.all()));
      TreeMap<byte[], byte[]> model = new TreeMap<>(order.comparator);
      for (int i = 0; i < 200; i++) {
        byte[] key = {(byte) i, (byte) random.nextInt()};
        byte[] value = new byte[10_000];
        random.nextBytes(value);
        db.put(key, value);
        model.put(key, value);
      }
      db.flush();
      long all = db.files().approximateSize(KeyRange.all()).bytes();
      assertTrue(all > 1_500_000 && all < 2_500_000, () -> "size " + all);
      byte[] middle = List.copyOf(model.keySet()).get(100);
      long below = db.files().approximateSize(KeyRange.through(middle)).bytes();
      long above = db.files().approximateSize(KeyRange.after(middle)).bytes();
      assertTrue(Math.abs(below - above) < all / 4, () -> "sizes " + below + " and " + above);
      for (KeyRange range
          : List.of(KeyRange.through(middle), KeyRange.after(middle), KeyRange.closed(middle, middle))) {
        db.files().suggestCompact(range);
        db.compact(range);
      }
      assertEquals(200, db.stream(KeyRange.all(), Row::keySize).count());
    }
  }

  @Test
  void anOrderThatThrowsForAnEndFailsTheScanAndStopsTheDatabase() {
    boolean[] broken = {false};
    FamilyOptions options =
        FamilyOptions.defaults()
            .keyOrder("breaks", (a, b) -> {
              if (broken[0]) {
                throw new IllegalArgumentException("the order ends");
              }
              return a.compareTo(b);
            });
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.put(new byte[] {1}, new byte[0]);
      db.put(new byte[] {2}, new byte[0]);
      try (Scan scan = db.scan(KeyRange.through(new byte[] {1}))) {
        broken[0] = true;
        var e = assertThrowsExactly(IllegalStateException.class, scan::next);
        assertEquals("the order ends", e.getCause().getMessage());
      }
      assertThrowsExactly(IllegalStateException.class, () -> db.get(new byte[] {1}));
      broken[0] = false;
    }
  }

  @Test
  void aKeyThatIsLargeEndsARange() {
    byte[] large = new byte[3 << 20];
    Arrays.fill(large, (byte) 'k');
    for (Order order : Order.values()) {
      try (RocksDb db = RocksDb.at(folder.resolve(order.name())).defaults(order.options()).open()) {
        db.put(large, new byte[1]);
        db.put(new byte[] {'a'}, new byte[1]);
        db.put(new byte[] {'z'}, new byte[1]);
        db.put(Arrays.copyOf(large, large.length + 1), new byte[1]);
        long all = db.stream(KeyRange.closed(large, large), Row::keySize).count();
        assertEquals(1, all, order.name());
        long both = db.stream(KeyRange.through(large), Row::keySize).count();
        long behind = db.stream(KeyRange.after(large), Row::keySize).count();
        assertEquals(4, both + behind, order.name());
        db.deleteRange(KeyRange.closed(large, large));
        assertEquals(3, db.stream(KeyRange.all(), Row::keySize).count());
      }
    }
  }

  @Test
  void keysAreTakenFromAllKindsOfMemory() {
    byte[] a = {1, 2};
    byte[] b = {3, 4};
    try (Arena arena = Arena.ofConfined()) {
      for (boolean direct : new boolean[] {false, true}) {
        MemorySegment x = direct ? arena.allocateFrom(ValueLayout.JAVA_BYTE, a) : MemorySegment.ofArray(a);
        MemorySegment y = direct ? arena.allocateFrom(ValueLayout.JAVA_BYTE, b) : MemorySegment.ofArray(b);
        for (List<KeyRange> same :
            List.of(
                List.of(KeyRange.from(a), KeyRange.from(x)),
                List.of(KeyRange.after(a), KeyRange.after(x)),
                List.of(KeyRange.until(a), KeyRange.until(x)),
                List.of(KeyRange.through(a), KeyRange.through(x)),
                List.of(KeyRange.prefix(a), KeyRange.prefix(x)),
                List.of(KeyRange.between(a, b), KeyRange.between(x, y)),
                List.of(KeyRange.closed(a, b), KeyRange.closed(x, y)))) {
          assertEquals(same.get(0), same.get(1));
          assertEquals(same.get(0).toString(), same.get(1).toString());
        }
      }
    }
  }

  @Test
  void aScanOfAReverseOrderDoesNotGoThroughWhatIsDeletedBehindItsEnd() {
    FamilyOptions options = Order.REVERSE.options();
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.put("b".getBytes(), new byte[0]);
      for (int i = 0; i < 1000; i++) {
        byte[] key = ("a" + i).getBytes();
        db.put(key, key);
        db.delete(key);
      }
      try (Scan scan = db.with(ReadOptions.defaults().maxSkippedKeys(10)).scan(KeyRange.through("b".getBytes()))) {
        assertTrue(scan.next());
        assertEquals(false, scan.next());
      }
    }
  }
}
