/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.LogFile;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WalFileType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Reads the write-ahead log. */
class LogTest {
  @TempDir Path folder;
  private Options options;
  private RocksDB db;

  @BeforeEach
  void open() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true);
    db = RocksDB.open(options, folder.toString());
  }

  @AfterEach
  void close() {
    db.close();
    options.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  @Tag("oracle")
  void theLogsBatchesAreReadFromANumberOn() throws RocksDBException {
    db.put(bytes("a"), bytes("1"));
    try (WriteBatch batch = new WriteBatch();
        WriteOptions write = new WriteOptions()) {
      batch.put(bytes("b"), bytes("2"));
      batch.put(bytes("c"), bytes("3"));
      db.write(write, batch);
    }
    try (TransactionLogIterator log = db.getUpdatesSince(2)) {
      assertTrue(log.isValid());
      TransactionLogIterator.BatchResult read = log.getBatch();
      assertEquals(2, read.sequenceNumber());
      try (WriteBatch batch = read.writeBatch()) {
        assertEquals(2, batch.count());
        assertTrue(batch.hasPut());
      }
      log.next();
      assertFalse(log.isValid());
      log.status();
      db.put(bytes("d"), bytes("4"));
      log.next();
      assertTrue(log.isValid(), "what was written since is read too");
      read = log.getBatch();
      assertEquals(4, read.sequenceNumber());
      read.writeBatch().close();
    }
    RocksDBException failure = assertThrows(RocksDBException.class, () -> db.getUpdatesSince(100));
    assertEquals(Status.Code.NotFound, failure.getStatus().getCode());
  }

  @Test
  @Tag("oracle")
  void theFilesOfTheLogAreTold() throws RocksDBException {
    assertEquals(List.of(), db.getSortedWalFiles());
    db.put(bytes("a"), bytes("1"));
    List<LogFile> files = db.getSortedWalFiles();
    assertEquals(1, files.size());
    LogFile file = files.getFirst();
    assertTrue(file.pathName().matches("/\\d{6}\\.log"), file.pathName());
    assertEquals(WalFileType.kAliveLogFile, file.type());
    assertEquals(1, file.startSequence());
    assertTrue(file.logNumber() > 0);
    assertTrue(file.sizeFileBytes() >= 0);
  }

  @Test
  void anIteratorThatIsNowhereSaysSo() throws RocksDBException {
    try (TransactionLogIterator log = db.getUpdatesSince(0)) {
      assertFalse(log.isValid());
      log.next();
      log.next();
      assertFalse(log.isValid());
    }
    db.put(bytes("a"), bytes("1"));
    TransactionLogIterator log = db.getUpdatesSince(1);
    log.getBatch().writeBatch().close();
    assertEquals(
        "the batch was taken from the iterator already: go to the next()",
        assertThrows(IllegalStateException.class, log::getBatch).getMessage());
    db.close();
    assertEquals(
        "TransactionLogIterator is closed", assertThrows(IllegalStateException.class, log::next).getMessage());
    log.close();
  }

  @Test
  void aBatchOutlivesTheLogThatItWasReadFrom() throws RocksDBException {
    db.put(bytes("a"), bytes("1"));
    WriteBatch batch;
    try (TransactionLogIterator log = db.getUpdatesSince(1)) {
      batch = log.getBatch().writeBatch();
    }
    try (Options others = new Options().setCreateIfMissing(true);
        RocksDB other = RocksDB.open(others, folder.resolve("other").toString());
        WriteOptions write = new WriteOptions()) {
      db.close();
      other.write(write, batch);
      assertArrayEquals(bytes("1"), other.get(bytes("a")));
    } finally {
      batch.close();
    }
  }
}
