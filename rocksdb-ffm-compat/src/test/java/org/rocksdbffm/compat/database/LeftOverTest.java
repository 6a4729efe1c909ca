/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** Files of a database without a CURRENT file are kept, where rocksdbjni deletes them. */
class LeftOverTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @Test
  void noFileOfItIsTouchedHoweverItIsOpenedAndPuttingTheFileBackRestoresIt() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        DBOptions databaseOptions = new DBOptions().setCreateIfMissing(true);
        TransactionDBOptions transactions = new TransactionDBOptions();
        FlushOptions flush = new FlushOptions()) {
      try (RocksDB db = RocksDB.open(options, folder.toString())) {
        db.put(KEY, VALUE);
        db.flush(flush);
      }
      Path current = folder.resolve("CURRENT");
      byte[] content = Files.readAllBytes(current);
      Files.delete(current);
      List<String> before = files();

      List<ColumnFamilyDescriptor> families =
          List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
      for (int attempt = 0; attempt < 3; attempt++) {
        assertRefused(() -> RocksDB.open(options, folder.toString()));
        assertRefused(() -> RocksDB.open(databaseOptions, folder.toString(), families, new ArrayList<>()));
        assertRefused(() -> OptimisticTransactionDB.open(options, folder.toString()));
        assertRefused(
            () -> OptimisticTransactionDB.open(databaseOptions, folder.toString(), families, new ArrayList<>()));
        assertRefused(() -> TransactionDB.open(options, transactions, folder.toString()));
        assertRefused(
            () ->
                TransactionDB.open(
                    databaseOptions, transactions, folder.toString(), families, new ArrayList<>()));
        assertRefused(() -> TtlDB.open(options, folder.toString()));
        assertRefused(
            () -> TtlDB.open(databaseOptions, folder.toString(), families, new ArrayList<>(), List.of(1), false));
      }
      assertEquals(before, files());

      Files.write(current, content);
      try (RocksDB db = RocksDB.open(options, folder.toString())) {
        assertArrayEquals(VALUE, db.get(KEY));
      }
    }
  }

  private static void assertRefused(Executable open) {
    RocksDBException refusal = assertThrows(RocksDBException.class, open);
    assertEquals(Status.Code.Corruption, refusal.getStatus().getCode());
    assertTrue(refusal.getMessage().startsWith("the file CURRENT is missing in "), refusal.getMessage());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).filter(its -> !its.contains("LOG")).sorted().toList();
    }
  }

  @Test
  void aFolderOfOtherFilesIsUsed() throws Exception {
    Files.writeString(folder.resolve("notes.log"), "not a database's");
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put(KEY, VALUE);
    }
  }
}
