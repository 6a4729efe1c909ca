/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.writes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests the rows that a log reader returns, and batches that are sent as bytes. */
@ExtendWith(LiveObjectsCheck.class)
final class LogReaderTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  private static final DatabaseOptions KEEPING = DatabaseOptions.defaults().option("WAL_ttl_seconds", 3600);

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format("%04d", number).getBytes();
  }

  /** Writes random rows to both families, in batches and singly. */
  private static void write(RocksDb db, Random random, int writes) {
    for (int i = 0; i < writes; i++) {
      WriteBatch batch = new WriteBatch();
      for (int row = random.nextInt(4); row >= 0; row--) {
        KeyWriter writer = random.nextBoolean() ? batch : batch.in(db.family("family"));
        byte[] key = key(random.nextInt(200));
        switch (random.nextInt(4)) {
          case 0 -> writer.put(key, new byte[random.nextInt(300)]);
          case 1 -> writer.merge(key, key);
          case 2 -> writer.delete(key);
          default -> {
            int from = random.nextInt(200);
            writer.deleteRange(key(from), key(from + random.nextInt(5)));
          }
        }
      }
      db.write(batch);
    }
  }

  private static long follow(DatabaseFiles.LogReader log, RocksDb follower) {
    while (log.next()) {
      byte[] bytes = log.batch().toBytes();
      assertArrayEquals(bytes, withoutNumber(log.batch(batch -> batch.toArray(ValueLayout.JAVA_BYTE))));
      follower.write(WriteBatch.from(MemorySegment.ofArray(bytes)));
    }
    return log.nextSequenceNumber();
  }

  /** Clears the sequence number at the start of a batch from the WAL. */
  private static byte[] withoutNumber(byte[] batch) {
    Arrays.fill(batch, 0, Long.BYTES, (byte) 0);
    return batch;
  }

  @Test
  void aCompressedLogIsReadOnAfterOpeningsAlthoughSomeOfItsFilesAreEmpty() {
    Opening opening = RocksDb.at(folder).options(KEEPING.option("wal_compression", "kZSTD")).defaults(OPTIONS);
    long next = 1;
    for (int round = 0; round < 6; round++) {
      try (RocksDb db = opening.open(); DatabaseFiles.LogReader log = db.files().logSince(next)) {
        assertEquals(round > 0, log.next()); // the last write before the opening, in an older file
        next = log.nextSequenceNumber();
        db.put(key(2 * round), key(0));
        assertTrue(log.next());
        next = log.nextSequenceNumber();
        db.put(key(2 * round + 1), key(0));
        if (round % 2 == 0) {
          db.flush();
        }
      }
      opening.open().close(); // leaves a WAL file without a write
    }
    assertEquals(12, next);
  }

  @Test
  void aBatchIsShownForTheLengthOfACallThatAnotherThreadMayCloseTheReaderIn() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(key(1), new byte[3000]);
      DatabaseFiles.LogReader log = db.files().logSince(1);
      assertTrue(log.next());
      MemorySegment[] kept = new MemorySegment[1];
      long sum = log.batch(batch -> {
        kept[0] = batch;
        assertTrue(batch.isReadOnly());
        assertThrowsExactly(IllegalStateException.class, log::next);
        Thread closing = Thread.ofPlatform().start(log::close);
        assertDoesNotThrow(() -> closing.join());
        return batch.byteSize() + batch.get(ValueLayout.JAVA_BYTE, batch.byteSize() - 1);
      });
      assertTrue(sum > 3000, "" + sum);
      assertThrowsExactly(IllegalStateException.class, () -> kept[0].get(ValueLayout.JAVA_BYTE, 0));
      assertThrowsExactly(IllegalStateException.class, () -> log.batch(batch -> 1));
    }
  }

  private static void assertSameRows(RocksDb a, RocksDb b) {
    for (String family : List.of("default", "family")) {
      try (Scan one = a.family(family).scan(KeyRange.all());
          Scan other = b.family(family).scan(KeyRange.all())) {
        while (one.next()) {
          assertTrue(other.next());
          assertArrayEquals(one.keyBytes(), other.keyBytes());
          assertArrayEquals(one.valueBytes(), other.valueBytes());
        }
        assertFalse(other.next());
      }
    }
  }

  @Test
  void aFollowerThatAppliesTheLogEndsEqualAcrossFlushesAndReopenings() {
    Random random = new Random(29);
    try (RocksDb follower = RocksDb.at(folder.resolve("follower")).defaults(OPTIONS).open()) {
      follower.createFamily("family", OPTIONS);
      long next;
      try (RocksDb db = RocksDb.at(folder.resolve("db")).options(KEEPING).defaults(OPTIONS).open()) {
        db.createFamily("family", OPTIONS);
        try (DatabaseFiles.LogReader log = db.files().logSince(0)) {
          assertFalse(log.next());
          for (int round = 0; round < 30; round++) {
            write(db, random, random.nextInt(40));
            if (random.nextInt(3) == 0) {
              db.flush();
            }
            next = follow(log, follower);
            assertEquals(db.files().latestSequenceNumber() + 1, next);
          }
          next = log.nextSequenceNumber();
        }
        assertSameRows(db, follower);
        write(db, random, 20);
      }
      try (RocksDb db = RocksDb.at(folder.resolve("db")).options(KEEPING).defaults(OPTIONS).open()) {
        write(db, random, 20);
        try (DatabaseFiles.LogReader log = db.files().logSince(next)) {
          follow(log, follower);
        }
        assertSameRows(db, follower);
      }
    }
  }

  @Test
  void aGapIsToldEachTime() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.put(key(1), key(1));
      db.flush(); // deletes the WAL file
      try (DatabaseFiles.LogReader log = db.files().logSince(1)) {
        assertGap(log);
        db.put(key(2), key(2));
        assertGap(log);
        assertGap(log);
        assertEquals(1, log.nextSequenceNumber());
      }
      try (DatabaseFiles.LogReader log = db.files().logSince(2)) {
        assertTrue(log.next());
        assertEquals(2, log.sequenceNumber());
        db.with(WriteOptions.defaults().disableWal(true)).put(key(3), key(3));
        assertGap(log);
        db.put(key(4), key(4));
        assertGap(log);
      }
      assertThrowsExactly(IllegalArgumentException.class, () -> db.files().logSince(-1));
      try (DatabaseFiles.LogReader log = db.files().logSince(Long.MAX_VALUE)) {
        assertFalse(log.next());
      }
    }
  }

  @Test
  void aLogThatAFlushDeletesWhileLogsAreListedIsNoFailure() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      Thread flushing = Thread.ofPlatform().start(() -> {
        for (int i = 0; i < 300; i++) {
          db.put(key(i), key(i));
          db.flush();
        }
      });
      do {
        try (DatabaseFiles.LogReader log = db.files().logSince(db.files().latestSequenceNumber())) {
          log.next();
        } catch (RocksDbException e) {
          assertEquals(Code.NOT_FOUND, e.code(), e::getMessage); // a gap: the file was deleted
        }
      } while (flushing.isAlive());
      flushing.join();
    }
  }

  private static void assertGap(DatabaseFiles.LogReader log) {
    RocksDbException thrown = assertThrowsExactly(RocksDbException.class, log::next);
    assertEquals(Code.NOT_FOUND, thrown.code());
    assertTrue(thrown.getMessage().contains("begin again from a checkpoint"), thrown.getMessage());
    assertThrowsExactly(IllegalStateException.class, log::batch);
  }

  @Test
  void aNumberWithinABatchFindsTheWholeBatch() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < 5; i++) {
        batch.put(key(i), key(i));
      }
      db.write(batch);
      db.put(key(9), key(9));
      try (DatabaseFiles.LogReader log = db.files().logSince(3)) {
        assertTrue(log.next());
        assertEquals(1, log.sequenceNumber());
        assertEquals(5, log.batch().count());
        assertEquals(6, log.nextSequenceNumber());
        assertTrue(log.next());
        assertEquals(1, log.batch().count());
        assertFalse(log.next());
      }
    }
  }

  @Test
  void aLogThatIsBufferedIsWrittenFirst() {
    try (RocksDb db = RocksDb.at(folder.resolve("db"))
        .options(DatabaseOptions.defaults().option("manual_wal_flush", true)).defaults(OPTIONS).open();
        DatabaseFiles.LogReader log = db.files().logSince(1)) {
      db.put(key(1), key(1));
      assertTrue(log.next());
      db.put(key(2), key(2));
      assertTrue(log.next());
      assertFalse(log.next());
    }
  }

  @Test
  void aReaderFollowsAWriterThatDoesNotWait() throws Exception {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(KEEPING).defaults(OPTIONS).open();
        DatabaseFiles.LogReader log = db.files().logSince(1)) {
      int writes = 3000;
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < writes; i++) {
                        db.put(key(i), key(i));
                        if (i % 500 == 499) {
                          db.flush();
                        }
                      }
                    } catch (Throwable e) {
                      failure.set(e);
                    }
                  });
      for (int i = 0; i < writes; ) {
        if (log.next()) {
          assertEquals(i + 1, log.sequenceNumber());
          i++;
        } else {
          assertEquals(null, failure.get());
        }
      }
      writer.join();
      assertFalse(log.next());
    }
  }

  @Test
  void batchesTravelAsBytes() {
    WriteBatch batch = new WriteBatch();
    batch.put(key(1), key(2));
    batch.merge(key(1), key(3));
    batch.delete(key(4));
    batch.singleDelete(key(5));
    batch.deleteRange(key(6), key(7));
    batch.put(new byte[0], new byte[70_000]);
    byte[] bytes = batch.toBytes();
    assertArrayEquals(bytes, WriteBatch.from(MemorySegment.ofArray(bytes)).toBytes());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(bytes.length);
      copy.copyFrom(MemorySegment.ofArray(bytes));
      assertArrayEquals(bytes, WriteBatch.from(copy.asReadOnly()).toBytes());
    }
    assertEquals(0, WriteBatch.from(MemorySegment.ofArray(new WriteBatch().toBytes())).count());
  }

  @Test
  void recordsWithoutRowsAreLeftOutWhereverTheyAre() {
    WriteBatch plain = new WriteBatch();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {9, 9, 9, 9, 9, 9, 9, 9, 3, 0, 0, 0}); // a sequence number, and the number of rows
    byte[] nothing = {13};
    byte[] text = {3, 4, 't', 'e', 'x', 't'};
    bytes.writeBytes(nothing);
    for (int i = 0; i < 3; i++) {
      bytes.writeBytes(text);
      bytes.writeBytes(new byte[] {1, 2, 'k', (byte) i, 1, 'v'});
      bytes.writeBytes(nothing);
      plain.put(new byte[] {'k', (byte) i}, new byte[] {'v'});
    }
    bytes.writeBytes(text);
    WriteBatch read = WriteBatch.from(MemorySegment.ofArray(bytes.toByteArray()));
    assertEquals(3, read.count());
    assertArrayEquals(plain.toBytes(), read.toBytes());
    read.put(key(1), key(2));
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.write(read);
      assertArrayEquals(new byte[] {'v'}, db.get(new byte[] {'k', 2}));
      assertArrayEquals(key(2), db.get(key(1)));
    }
  }

  @Test
  void operandsInBytesAreCheckedAsInAnyBatch() {
    WriteBatch batch = new WriteBatch();
    batch.merge(key(1), key(2));
    WriteBatch read = WriteBatch.from(MemorySegment.ofArray(batch.toBytes()));
    try (RocksDb db = RocksDb.open(folder.resolve("plain"))) {
      assertThrowsExactly(IllegalStateException.class, () -> db.write(read));
      assertFalse(db.contains(key(1)));
    }
  }

  @Test
  void bytesThatAreNoBatchAreRefused() {
    WriteBatch batch = new WriteBatch();
    batch.put(key(1), key(2));
    batch.deleteRange(key(3), key(4));
    byte[] bytes = batch.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrowsExactly(IllegalArgumentException.class, () -> WriteBatch.from(MemorySegment.ofArray(cut)));
    }
    Random random = new Random(7);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      for (int round = 0; round < 3000; round++) {
        byte[] bad = bytes.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
          bad[random.nextInt(bad.length)] = (byte) random.nextInt();
        }
        try {
          db.write(WriteBatch.from(MemorySegment.ofArray(bad)));
        } catch (IllegalArgumentException | IllegalStateException refused) {
          assertTrue(
              refused.getMessage().startsWith("bytes: they are no batch") || !(refused.getMessage().isEmpty()));
        }
      }
      db.put(key(1), key(9));
      assertArrayEquals(key(9), db.get(key(1)));
    }
  }
}
