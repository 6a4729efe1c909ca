/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Checkpoint;
import org.rocksdb.FlinkCompactionFilter.Config;
import org.rocksdb.FlinkCompactionFilter.FlinkCompactionFilterFactory;
import org.rocksdb.FlinkCompactionFilter.ListElementFilter;
import org.rocksdb.FlinkCompactionFilter.StateType;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Tests which state a compaction removes, by the bytes that Flink stores, and checkpoints as Flink stores them. */
class FlinkCompactionFilterTest {
  private static final long TTL = 1000;
  private static final long OLD = 5000;
  private static final long YOUNG = OLD + TTL / 2;
  private static final byte[] KEY = bytes("key");
  private static final byte DELIMITER = ',';

  @TempDir Path folder;

  private final AtomicLong time = new AtomicLong(OLD);
  private final AtomicInteger asked = new AtomicInteger();

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private interface Work {
    void with(RocksDB db) throws RocksDBException, IOException;
  }

  private FlinkCompactionFilterFactory factory() {
    return new FlinkCompactionFilterFactory(
        () -> {
          asked.incrementAndGet();
          return time.get();
        });
  }

  private void with(Config rules, Work work) throws RocksDBException, IOException {
    try (FlinkCompactionFilterFactory factory = factory()) {
      factory.configure(rules);
      with(factory, work);
    }
  }

  private void with(FlinkCompactionFilterFactory factory, Work work) throws RocksDBException, IOException {
    try (Options options =
            new Options()
                .setCreateIfMissing(true)
                .setMergeOperatorName("stringappendtest")
                .setCompactionFilterFactory(factory);
        RocksDB db = RocksDB.open(options, folder.resolve("db").toString())) {
      work.with(db);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] stamped(long time, String text) {
    return ByteBuffer.allocate(Long.BYTES + text.length()).putLong(time).put(bytes(text)).array();
  }

  private static byte[] list(byte[]... elements) {
    ByteBuffer list = ByteBuffer.allocate(1000);
    for (byte[] element : elements) {
      list.put(list.position() == 0 ? new byte[0] : new byte[] {DELIMITER}).put(element);
    }
    byte[] written = new byte[list.flip().remaining()];
    list.get(written);
    return written;
  }

  private static void flush(RocksDB db) throws RocksDBException {
    try (FlushOptions options = new FlushOptions()) {
      db.flush(options);
    }
  }

  private static byte[] compacted(RocksDB db) throws RocksDBException {
    flush(db);
    db.compactRange();
    return db.get(KEY);
  }

  @Test
  void aValueGoesOnceItsTimeIsOver() throws Exception {
    with(
        Config.createForValue(TTL, 1),
        db -> {
          byte[] value = stamped(OLD, "value");
          db.put(KEY, value);
          time.set(OLD + TTL - 1);
          assertArrayEquals(value, compacted(db));
          db.put(KEY, value);
          time.set(OLD + TTL);
          assertNull(compacted(db));
        });
  }

  @Test
  void anEntryOfAMapHasItsTimeBehindAByte() throws Exception {
    with(
        Config.createForMap(TTL, 1000),
        db -> {
          time.set(OLD + TTL);
          byte[] young = ByteBuffer.allocate(9).put((byte) 1).putLong(YOUNG).array();
          db.put(bytes("old"), ByteBuffer.allocate(9).put((byte) 1).putLong(OLD).array());
          db.put(bytes("short"), new byte[8]);
          db.put(KEY, young);
          assertArrayEquals(young, compacted(db));
          assertNull(db.get(bytes("old")));
          assertArrayEquals(new byte[8], db.get(bytes("short")));
        });
  }

  @Test
  void aListLosesItsFirstElementsInTheFirstCompactionAsValueAndAsOperands() throws Exception {
    int length = stamped(0, "abc").length + 1;
    for (Config rules : List.of(Config.createForFixedElementList(TTL, 1, length), ofUnknownLengths())) {
      with(
          rules,
          db -> {
            time.set(OLD + TTL);
            byte[] old = stamped(OLD, "abc");
            byte[] young = stamped(YOUNG, "def");
            db.put(KEY, list(old, old, young));
            assertArrayEquals(list(young), compacted(db));
            byte[] operands = bytes("operands " + rules);
            db.merge(operands, list(old, old));
            db.merge(operands, list(old, young, young));
            db.merge(operands, young);
            db.merge(bytes("gone"), old);
            compacted(db);
            assertArrayEquals(list(young, young, young), db.get(operands));
            assertNull(db.get(bytes("gone")));
          });
    }
  }

  /** Rules whose elements end with their texts, of three bytes or of two. */
  private static Config ofUnknownLengths() {
    return Config.createForList(TTL, 1, () -> FlinkCompactionFilterTest::firstUnexpired);
  }

  private static int firstUnexpired(byte[] list, long ttl, long now) {
    int offset = 0;
    while (offset < list.length && ByteBuffer.wrap(list).getLong(offset) + ttl <= now) {
      offset += Long.BYTES;
      while (offset < list.length && list[offset] != DELIMITER) {
        offset++;
      }
      offset++;
    }
    return offset;
  }

  @Test
  void elementsOfDifferentLengthsAreReadByTheirOwnCode() throws Exception {
    with(
        ofUnknownLengths(),
        db -> {
          time.set(OLD + TTL);
          byte[] young = stamped(YOUNG, "yz");
          db.put(KEY, list(stamped(OLD, "a"), stamped(OLD, "bcdefgh"), stamped(OLD, ""), young, stamped(OLD, "x")));
          assertArrayEquals(list(young, stamped(OLD, "x")), compacted(db));
        });
  }

  @Test
  void theTimeIsAskedForOnceInSoManyRows() throws Exception {
    with(
        Config.createForValue(TTL, 100),
        db -> {
          for (int row = 0; row < 1000; row++) {
            db.put(bytes("row" + row), stamped(OLD, "value"));
          }
          compacted(db);
          assertEquals(10, asked.get());
        });
  }

  @Test
  void withoutRulesNothingIsRemovedAndTheTimeIsNotAskedFor() throws Exception {
    try (FlinkCompactionFilterFactory factory = factory()) {
      with(
          factory,
          db -> {
            byte[] value = stamped(OLD, "value");
            time.set(Long.MAX_VALUE);
            db.put(KEY, value);
            assertArrayEquals(value, compacted(db));
            assertEquals(0, asked.get());
            factory.configure(Config.createForValue(TTL, 1));
            db.put(KEY, value);
            assertNull(compacted(db));
          });
      assertEquals(
          "Compaction filter is already configured",
          assertThrows(IllegalStateException.class, () -> factory.configure(Config.createForMap(1, 1))).getMessage());
    }
  }

  @Test
  void codeThatThrowsKeepsTheRows() throws Exception {
    byte[] list = list(stamped(OLD, "a"), stamped(OLD, "bc"));
    time.set(OLD + TTL);
    for (ListElementFilter filter :
        List.<ListElementFilter>of(
            (each, ttl, now) -> {
              throw new IllegalStateException("cannot read it");
            },
            (each, ttl, now) -> -1,
            (each, ttl, now) -> Integer.MAX_VALUE)) {
      with(
          Config.createForList(TTL, 1, () -> filter),
          db -> {
            db.put(KEY, list);
            assertArrayEquals(list, compacted(db));
          });
    }
    try (FlinkCompactionFilterFactory factory =
        new FlinkCompactionFilterFactory(
            () -> {
              throw new IllegalStateException("no clock");
            })) {
      factory.configure(Config.createForValue(0, 1));
      with(
          factory,
          db -> {
            db.put(KEY, stamped(Long.MIN_VALUE + 1, "value"));
            assertArrayEquals(stamped(Long.MIN_VALUE + 1, "value"), compacted(db));
          });
    }
  }

  @Test
  void rulesThatNoStateCanHaveAreRefused() {
    for (var rules :
        List.<Runnable>of(
            () -> Config.createNotList(StateType.Value, -1, 1, 1),
            () -> Config.createForValue(-1, 1),
            () -> Config.createForValue(1, -1))) {
      String message = assertThrows(IllegalArgumentException.class, rules::run).getMessage();
      assertTrue(message.matches("(timestampOffset|ttl|queryTimeAfterNumEntries): -1 is negative"), message);
    }
  }

  @Test
  void compactionsOfSeveralThreadsRemoveWhatIsOldAndKeepWhatIsYoung() throws Exception {
    with(
        ofUnknownLengths(),
        db -> {
          time.set(OLD + TTL);
          for (int round = 0; round < 20; round++) {
            for (int row = 0; row < 500; row++) {
              db.merge(bytes("row" + row), stamped(row % 2 == 0 ? OLD : YOUNG, "element" + round));
            }
            flush(db);
          }
          db.compactRange();
          List<byte[]> young = new ArrayList<>();
          for (int round = 0; round < 20; round++) {
            young.add(stamped(YOUNG, "element" + round));
          }
          for (int row = 0; row < 500; row++) {
            byte[] expected = row % 2 == 0 ? null : list(young.toArray(byte[][]::new));
            assertArrayEquals(expected, db.get(bytes("row" + row)));
          }
        });
  }

  @Test
  void aFactoryThatIsClosedBeforeItsDatabaseServesItOn() throws Exception {
    FlinkCompactionFilterFactory factory = factory();
    factory.configure(Config.createForValue(TTL, 1));
    with(
        factory,
        db -> {
          factory.close();
          time.set(OLD + TTL);
          db.put(KEY, stamped(OLD, "value"));
          assertNull(compacted(db));
        });
  }

  @Test
  void aCheckpointHasNoEmptyLogAndOpens() throws Exception {
    Path copy = folder.resolve("copy");
    with(
        Config.createForValue(TTL, 1),
        db -> {
          try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            db.put(options, KEY, stamped(OLD, "value"));
          }
          try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(copy.toString());
          }
        });
    try (Stream<Path> files = Files.list(copy)) {
      assertEquals(List.of(), files.filter(file -> file.toFile().length() == 0).toList());
    }
    try (RocksDB db = RocksDB.open(copy.toString())) {
      assertArrayEquals(stamped(OLD, "value"), db.get(KEY));
    }
  }
}
