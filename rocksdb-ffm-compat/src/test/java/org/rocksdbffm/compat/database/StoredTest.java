/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.compat.tools.ChildJvm;

/** The options for opening are compared with the options of the files, before the engine may delete files. */
class StoredTest {
  private static final byte[] KEY = {1};
  private static final int ROWS = 100;

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private String path() {
    return folder.resolve("db").toString();
  }

  private static Options options() {
    return new Options().setCreateIfMissing(true);
  }

  /** Writes one put, one merge, and then many entries to the WAL. */
  private void writeMerges() throws RocksDBException {
    try (StringAppendOperator append = new StringAppendOperator(',');
        Options options = options().setMergeOperator(append);
        WriteOptions sync = new WriteOptions().setSync(true);
        RocksDB db = RocksDB.open(options, path())) {
      db.put(KEY, "a".getBytes(UTF_8));
      db.merge(KEY, "b".getBytes(UTF_8));
      for (int i = 0; i < ROWS; i++) {
        db.put(sync, ("row " + i).getBytes(UTF_8), KEY);
      }
    }
  }

  private interface Opening {
    RocksDB open() throws RocksDBException;
  }

  private static void assertRefused(Opening opening, String... words) {
    RocksDBException refusal = assertThrows(RocksDBException.class, () -> opening.open().close());
    assertEquals(Status.Code.InvalidArgument, refusal.getStatus().getCode(), refusal.getMessage());
    for (String word : words) {
      assertTrue(refusal.getMessage().contains(word), refusal.getMessage());
    }
    assertTrue(refusal.getMessage().contains("-D" + Stored.PROPERTY + "=true"), refusal.getMessage());
  }

  private void assertAllRows(Options options) throws RocksDBException {
    try (RocksDB db = RocksDB.open(options, path())) {
      assertEquals("a,b", new String(db.get(KEY), UTF_8));
      for (int i = 0; i < ROWS; i++) {
        assertEquals(1, db.get(("row " + i).getBytes(UTF_8)).length);
      }
    }
  }

  @Test
  void whatIsMergedInTheLogIsNotOpenedWithoutItsOperatorAndNothingIsLost() throws Exception {
    writeMerges();
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    try (Options options = options();
        DBOptions dbOptions = new DBOptions();
        TransactionDBOptions transactions = new TransactionDBOptions();
        StringAppendOperator append = new StringAppendOperator(',');
        Options right = options().setMergeOperator(append)) {
      String[] words = {"'default'", "StringAppendOperator", "without a merge operator", ".log has merges"};
      assertRefused(() -> RocksDB.open(options, path()), words);
      assertRefused(() -> RocksDB.open(dbOptions, path(), families, new ArrayList<>()), words);
      assertRefused(() -> TransactionDB.open(options, transactions, path()), words);
      assertAllRows(right);
    }
  }

  @Test
  void anotherOperatorIsRefusedWhereTheLogHasMerges() throws Exception {
    writeMerges();
    try (UInt64AddOperator add = new UInt64AddOperator();
        Options wrong = options().setMergeOperator(add);
        Options copy = new Options(wrong)) {
      String[] words = {"StringAppendOperator", "with another merge operator", ".log has merges"};
      assertRefused(() -> RocksDB.open(wrong, path()), words);
      assertRefused(() -> RocksDB.open(copy, path()), words);
    }
  }

  /** Writes merges to an SST file and other entries to the WAL, in two column families. */
  private void writeAndFlushMerges() throws RocksDBException {
    try (StringAppendOperator append = new StringAppendOperator(',');
        Options options = options().setMergeOperator(append);
        FlushOptions flush = new FlushOptions();
        RocksDB db = RocksDB.open(options, path())) {
      db.merge(KEY, "a".getBytes(UTF_8));
      db.flush(flush);
      db.put("row".getBytes(UTF_8), KEY);
    }
  }

  private static void assertOpens(Opening opening) throws RocksDBException {
    try (RocksDB db = opening.open()) {
      assertArrayEquals(KEY, db.get("row".getBytes(UTF_8)));
    }
  }

  @Test
  @Tag("oracle")
  void whatWasMergedOpensWithoutItsOperatorOrWithAnotherWhereTheLogHasNone() throws Exception {
    writeAndFlushMerges();
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    try (Options options = options();
        DBOptions dbOptions = new DBOptions();
        TransactionDBOptions transactions = new TransactionDBOptions();
        UInt64AddOperator add = new UInt64AddOperator();
        StringAppendOperator append = new StringAppendOperator(',');
        Options wrong = options().setMergeOperator(add)) {
      assertOpens(() -> RocksDB.open(options, path()));
      assertOpens(() -> RocksDB.open(wrong, path()));
      assertOpens(() -> RocksDB.open(dbOptions, path(), families, new ArrayList<>()));
      assertOpens(() -> TransactionDB.open(options, transactions, path()));
      assertOpens(() -> OptimisticTransactionDB.open(options, path()));
      try (Options right = options().setMergeOperator(append);
          RocksDB db = RocksDB.open(right, path())) {
        assertEquals("a", new String(db.get(KEY), UTF_8));
      }
    }
  }

  @Test
  @Tag("oracle")
  void whatOnlyReadsOpensWithoutTheOperator() throws Exception {
    writeAndFlushMerges();
    String secondary = folder.resolve("secondary").toString();
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    try (Options options = options().setMaxOpenFiles(-1);
        DBOptions dbOptions = new DBOptions().setMaxOpenFiles(-1)) {
      assertOpens(() -> RocksDB.openAsSecondary(options, path(), secondary));
      assertOpens(() -> RocksDB.openAsSecondary(dbOptions, path(), secondary, families, new ArrayList<>()));
      writeMerges();
      assertOpens(() -> RocksDB.openReadOnly(options, path())); // merges follow that entry in the WAL
      assertOpens(() -> RocksDB.openReadOnly(dbOptions, path(), families, new ArrayList<>()));
    }
  }

  @Test
  void strictRefusesAllOfThem() throws Exception {
    String output = ChildJvm.run(folder, ReadsMergesProgram.class, List.of("-Dorg.rocksdbffm.compat.options=strict"));
    assertEquals(4, output.split("is opened without one", -1).length, output);
  }

  @Test
  void anOperatorThatOptionsHaveFromElsewhereIsTakenForTheRightOne() throws Exception {
    writeMerges();
    try (Options byName = options().setMergeOperatorName("stringappend")) {
      assertAllRows(byName);
    }
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (ConfigOptions config = new ConfigOptions();
        DBOptions dbOptions = new DBOptions()) {
      OptionsUtil.loadLatestOptions(config, path(), dbOptions, families);
      try (RocksDB db = RocksDB.open(dbOptions, path(), families, handles)) {
        assertEquals("a,b", new String(db.get(KEY), UTF_8));
      }
    }
  }

  @Test
  @Tag("oracle")
  void aStyleThatDeletesIsTakenAndNothingIsDeletedBelowItsLimit() throws Exception {
    writeAndFlushMerges();
    try (ColumnFamilyOptions fifo = new ColumnFamilyOptions().setCompactionStyle(CompactionStyle.FIFO);
        DBOptions dbOptions = new DBOptions()) {
      assertOpens(() -> {
        fifo.setMergeOperatorName("stringappend");
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        var families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, fifo));
        RocksDB db = RocksDB.open(dbOptions, path(), families, handles);
        assertEquals("a", new String(db.get(KEY), UTF_8));
        return db;
      });
    }
  }

  @Test
  void logsElsewhereAreRefused() throws Exception {
    String logs = folder.resolve("logs").toString();
    try (Options elsewhere = options().setWalDir(logs);
        RocksDB db = RocksDB.open(elsewhere, path())) {
      db.put(KEY, KEY);
    }
    try (Options options = options()) {
      assertRefused(() -> RocksDB.open(options, path()), logs);
      assertRefused(() -> RocksDB.openReadOnly(options, path()), logs);
    }
  }

  @Test
  void aDatabaseThatForgetsIsOpenedAgainWithItsOperator() throws Exception {
    try (StringAppendOperator append = new StringAppendOperator(',');
        Options options = options().setMergeOperator(append)) {
      for (int i = 0; i < 2; i++) {
        try (TtlDB db = TtlDB.open(options, path(), 1000, false)) {
          db.merge(KEY, KEY);
        }
      }
    }
  }

  @Test
  void aDatabaseForReadingAloneFindsWhatLiesInBlobFiles() throws Exception {
    try (Options options = options().setEnableBlobFiles(true);
        FlushOptions flush = new FlushOptions();
        RocksDB db = RocksDB.open(options, path())) {
      db.put(KEY, KEY);
      db.flush(flush);
    }
    try (RocksDB db = RocksDB.openReadOnly(path())) {
      assertEquals(1, db.get(KEY).length);
    }
  }

  private Transaction prepared(TransactionDB db) throws RocksDBException {
    Transaction transaction = db.beginTransaction(new WriteOptions().setSync(true));
    transaction.put("row".getBytes(UTF_8), KEY);
    transaction.setName("payment");
    transaction.prepare();
    try (FlushOptions flush = new FlushOptions()) {
      db.put(KEY, KEY);
      db.flush(flush); // starts another WAL file
    }
    return transaction;
  }

  /** rocksdbjni opens all of these without the entry, and deletes the WAL file that contains it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasPreparedIsThereOnceItIsCommittedAndRefusedBefore(boolean committed) throws Exception {
    try (Options options = options();
        DBOptions dbOptions = new DBOptions();
        TransactionDBOptions transactions = new TransactionDBOptions()) {
      try (TransactionDB db = TransactionDB.open(options, transactions, path());
          Transaction transaction = prepared(db)) {
        if (committed) {
          transaction.commit();
        }
      }
      List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
      List<Opening> openings =
          List.of(
              () -> RocksDB.openReadOnly(options, path()),
              () -> RocksDB.open(options, path()),
              () -> RocksDB.open(dbOptions, path(), families, new ArrayList<>()),
              () -> OptimisticTransactionDB.open(options, path()),
              () -> TransactionDB.open(options, transactions, path()));
      for (Opening opening : openings) {
        if (committed) {
          assertOpens(opening);
        } else if (opening == openings.getFirst() || opening == openings.getLast()) {
          try (RocksDB db = opening.open()) {
            assertNull(db.get("row".getBytes(UTF_8)));
          }
        } else {
          assertRefused(opening, "the log has transactions that are prepared: [payment]");
        }
      }
    }
  }

  @Test
  void mergesThatAreReadWithoutTheirOperatorEndNoProcess() throws Exception {
    String output = ChildJvm.run(folder, ReadsMergesProgram.class, List.of());
    assertEquals(3 * 2 + 1, output.split("merge_operator is not properly initialized", -1).length, output);
    assertEquals(3 + 1, output.split("rows: merge_operator_ must be set", -1).length, output);
    assertEquals(3 + 1, output.split("plain row: 1", -1).length, output);
    assertEquals(2, output.split("was written with the merge operator", -1).length, output); // one warning
  }

  @Test
  void aDatabaseWithADamagedLogIsOpenedAsRocksdbjniOpensItWithAWarningAboutWhatIsDropped() throws Exception {
    String output = ChildJvm.run(folder, DamagedLogProgram.class, List.of());
    assertEquals(3, output.split("has half", -1).length, output);
    // One warning.
    assertEquals(2, output.split("acknowledged writes after that are intact, which RocksDB would drop", -1).length,
        output);
    assertTrue(output.contains("org.rocksdbffm.compat")
        && output.contains("db is opened as rocksdbjni opens it"), output);
  }

  @Test
  void strictRefusesADatabaseWithADamagedLog() throws Exception {
    String output = ChildJvm.run(folder, DamagedLogProgram.class, List.of("-Dorg.rocksdbffm.compat.options=strict"));
    assertEquals(3, output.split("refused: Corruption ", -1).length, output);
    assertEquals(3, output.split("acknowledged writes after that are intact, which RocksDB would drop", -1).length,
        output);
  }
}
