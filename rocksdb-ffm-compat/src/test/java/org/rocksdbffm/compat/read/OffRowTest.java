/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.AbstractRocksIterator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Transaction;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.compat.tools.ChildJvm;

/** An iterator off an entry still has a key, as with rocksdbjni, and an empty value. */
class OffRowTest {
  private static final int ROWS = 40; // more than one read-ahead

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private String path() {
    return folder.resolve("db").toString();
  }

  private static void fill(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
    for (int i = 0; i < ROWS; i++) {
      db.put(family, bytes("k%02d".formatted(i)), bytes("value"));
    }
  }

  /** Reads the key in every way, including parts. */
  private static void assertLeft(String key, RocksIterator iterator) throws RocksDBException {
    assertFalse(iterator.isValid());
    iterator.status();
    assertEquals(key, new String(iterator.key(), UTF_8));
    assertEquals(0, iterator.value().length);
    byte[] array = new byte[4];
    assertEquals(key.length(), iterator.key(array, 1, 2));
    byte[] part = bytes((key + "\0\0").substring(0, 2));
    assertArrayEquals(new byte[] {0, part[0], part[1], 0}, array);
    assertEquals(0, iterator.value(array));
    for (ByteBuffer buffer : List.of(ByteBuffer.allocate(500), ByteBuffer.allocateDirect(500))) {
      assertEquals(key.length(), iterator.key(buffer));
      assertEquals(key, UTF_8.decode(buffer).toString());
      assertEquals(0, iterator.value(buffer.clear()));
      assertEquals(0, buffer.remaining());
    }
  }

  private static void assertLeftBehindRows(RocksIterator iterator, String first, String last) throws RocksDBException {
    assertLeft("", iterator);
    iterator.seekToFirst();
    while (iterator.isValid()) {
      iterator.next();
    }
    assertLeft(last, iterator);
    iterator.seek(bytes("z"));
    assertLeft("z", iterator);
    ByteBuffer target = ByteBuffer.allocateDirect(300);
    iterator.seek(target.put(bytes("zy".repeat(150))).flip());
    target.put(0, bytes("changed"));
    assertLeft("zy".repeat(150), iterator);
    iterator.seekForPrev(bytes("A"));
    assertLeft("A", iterator);
    iterator.seekToLast();
    while (iterator.isValid()) {
      iterator.prev();
    }
    assertLeft(first, iterator);
  }

  private enum Kind {
    PLAIN, PINNED, BOUNDED, ALL_IN_ONE_PREFIX
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("oracle")
  void iteratorsOfADatabaseHaveTheLastKeyOrTheTarget(Kind kind) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true).useFixedLengthPrefixExtractor(1);
        RocksDB db = RocksDB.open(options, path());
        Slice lower = new Slice("k10");
        Slice upper = new Slice("k30");
        ReadOptions reads = new ReadOptions()) {
      fill(db, db.getDefaultColumnFamily());
      switch (kind) {
        case PINNED -> reads.setPinData(true);
        case BOUNDED -> reads.setIterateLowerBound(lower).setIterateUpperBound(upper);
        case ALL_IN_ONE_PREFIX -> reads.setPrefixSameAsStart(true);
        default -> {}
      }
      boolean isBounded = kind == Kind.BOUNDED;
      try (RocksIterator iterator = db.newIterator(reads)) {
        assertLeftBehindRows(iterator, isBounded ? "k09" : "k00", isBounded ? "k29" : "k39");
      }
    }
  }

  @Test
  @Tag("oracle")
  void soHaveThoseOfFamiliesAndOfDatabasesThatOnlyRead() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true).setMaxOpenFiles(-1);
        RocksDB db = RocksDB.open(options, path());
        FlushOptions flush = new FlushOptions();
        ReadOptions reads = new ReadOptions();
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(bytes("family")))) {
      fill(db, family);
      try (RocksIterator iterator = db.newIterators(List.of(family), reads).getFirst()) {
        assertLeftBehindRows(iterator, "k00", "k39");
      }
      fill(db, db.getDefaultColumnFamily());
      db.flush(flush);
      try (RocksDB readOnly = RocksDB.openReadOnly(options, path());
          RocksIterator iterator = readOnly.newIterator()) {
        assertLeftBehindRows(iterator, "k00", "k39");
      }
      try (RocksDB secondary = RocksDB.openAsSecondary(options, path(), folder.resolve("secondary").toString());
          RocksIterator iterator = secondary.newIterator()) {
        assertLeftBehindRows(iterator, "k00", "k39");
      }
    }
  }

  @Test
  @Tag("oracle")
  void soHaveThoseThatFollowAndThoseOfTables() throws RocksDBException {
    String file = folder.resolve("table.sst").toString();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path());
        EnvOptions env = new EnvOptions();
        ReadOptions reads = new ReadOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        SstFileReader reader = new SstFileReader(options)) {
      fill(db, db.getDefaultColumnFamily());
      try (RocksIterator tailing = db.newIterator(reads.setTailing(true))) {
        for (tailing.seekToFirst(); tailing.isValid(); tailing.next()) {}
        assertLeft("k39", tailing);
        tailing.seek(bytes("l"));
        assertLeft("l", tailing);
      }
      writer.open(file);
      writer.put(bytes("key"), bytes("value"));
      writer.finish();
      reader.open(file);
      try (SstFileReaderIterator rows = reader.newIterator(reads)) {
        assertEquals(0, rows.key().length);
        rows.seekToFirst();
        rows.next();
        assertEquals("key", new String(rows.key(), UTF_8));
        assertEquals(0, rows.value().length);
        rows.seek(bytes("l"));
        ByteBuffer buffer = ByteBuffer.allocateDirect(8);
        assertEquals(1, rows.key(buffer));
        assertEquals('l', buffer.get());
      }
    }
  }

  @Test
  @Tag("oracle")
  void soHaveThoseOverTransactionsAndBatches() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path());
        WriteOptions writes = new WriteOptions();
        ReadOptions reads = new ReadOptions();
        WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
        Transaction transaction = db.beginTransaction(writes)) {
      fill(db, db.getDefaultColumnFamily());
      transaction.put(bytes("k05a"), bytes("value"));
      batch.put(bytes("k05a"), bytes("value"));
      try (RocksIterator iterator = transaction.getIterator(reads);
          RocksIterator overBatch = batch.newIteratorWithBase(db.newIterator())) {
        assertLeftBehindRows(iterator, "k00", "k39");
        assertLeftBehindRows(overBatch, "k00", "k39");
      }
    }
  }

  /** The process ends here with rocksdbjni. */
  @ParameterizedTest
  @ValueSource(ints = {5, 1000, 100_000})
  void anIteratorWhoseLastRowsAreOfTheBatchHasTheLastKeyToo(int size) throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path());
        WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
      fill(db, db.getDefaultColumnFamily());
      String first = "a".repeat(size);
      String last = "l".repeat(size);
      batch.put(bytes(first), bytes("value"));
      batch.put(bytes(last), bytes("value"));
      try (RocksIterator iterator = batch.newIteratorWithBase(db.newIterator())) {
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {}
        assertEquals(last, new String(iterator.key(), UTF_8));
        assertEquals(0, iterator.value().length);
        iterator.seekToFirst();
        iterator.prev();
        batch.put(bytes("b"), new byte[100_000]); // the batch moves its bytes
        assertEquals(first, new String(iterator.key(), UTF_8));
        iterator.seek(bytes("z"));
        assertLeft("z", iterator);
      }
    }
  }

  /** A TtlDB's iterator returns a size of minus four for a missing value, with which rocksdbjni overwrites the heap. */
  @Test
  void anIteratorOfADatabaseThatForgetsAnswersToo() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        TtlDB db = TtlDB.open(options, path())) {
      fill(db, db.getDefaultColumnFamily());
      try (RocksIterator iterator = db.newIterator()) {
        assertLeftBehindRows(iterator, "k00", "k39");
      }
    }
  }

  @Test
  void anEmptyDatabaseHasAnEmptyLastKey() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path());
        RocksIterator iterator = db.newIterator()) {
      iterator.seek(bytes("z"));
      iterator.seekToLast();
      assertLeft("", iterator);
    }
  }

  @Test
  void aStepFromNoRowLeadsNowhere() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path());
        RocksIterator iterator = db.newIterator()) {
      iterator.next();
      assertLeft("", iterator);
      iterator.seek(bytes("z"));
      iterator.prev();
      iterator.next();
      assertLeft("z", iterator);
    }
  }

  @Test
  @Tag("oracle")
  void anIteratorThatWasRefreshedHasTheKeyThatItWasOnAndOneThatCannotBeStaysThere() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path());
        WriteOptions writes = new WriteOptions();
        ReadOptions reads = new ReadOptions();
        Transaction transaction = db.beginTransaction(writes)) {
      fill(db, db.getDefaultColumnFamily());
      try (RocksIterator iterator = db.newIterator();
          RocksIterator fixed = transaction.getIterator(reads)) {
        for (RocksIterator its : List.of(iterator, fixed)) {
          its.seekToFirst();
          for (int i = 0; i < 7; i++) {
            its.next();
          }
        }
        iterator.refresh();
        assertFalse(iterator.isValid());
        assertEquals("k07", new String(iterator.key(), UTF_8));
        assertThrows(RocksDBException.class, fixed::refresh);
        assertTrue(fixed.isValid());
        assertEquals("k07", new String(fixed.key(), UTF_8));
      }
    }
  }

  @Test
  void itIsWarnedOfOnce() throws Exception {
    String output = ChildJvm.run(folder, OffRowProgram.class, List.of());
    assertEquals(2, output.split("where isValid\\(\\) is false", -1).length, output);
    assertTrue(output.contains("key k, target z, table t"), output);
  }

  @Test
  void strictRefusesIt() throws Exception {
    String output =
        ChildJvm.run(folder, OffRowProgram.class, List.of("-Dorg.rocksdbffm.compat.options=strict"));
    String refusal = "the iterator is not on a row: ask isValid() first";
    assertTrue(output.contains("key %s, target %s, table %s".formatted(refusal, refusal, refusal)), output);
  }

  static String keyOf(AbstractRocksIterator<?> iterator) {
    try {
      return new String(
          iterator instanceof RocksIterator rows ? rows.key() : ((SstFileReaderIterator) iterator).key(), UTF_8);
    } catch (IllegalStateException refused) {
      return refused.getMessage();
    }
  }
}
