/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests what a database has after an ingestion, and that each that would lose something is refused. */
@ExtendWith(LiveObjectsCheck.class)
final class IngestTest {
  private static final Options OPTIONS =
      Options.defaults().createIfMissing(true).mergeOperator(MergeOperator.stringAppend(','));
  private static final IngestOptions MOVE = IngestOptions.defaults().move(true);

  @TempDir Path folder;

  private int files;

  private static byte[] bytes(String text) {
    return text.getBytes();
  }

  private static byte[] key(int number) {
    return bytes("%04d".formatted(number));
  }

  private static String read(Reader reader, String key) {
    byte[] value = reader.get(bytes(key));
    return value == null ? null : new String(value);
  }

  private RocksDb open() {
    return RocksDb.open(folder.resolve("db"), OPTIONS);
  }

  private Path file(Options options, Consumer<TableWriter> rows) {
    Path file = folder.resolve("file" + files++ + ".sst");
    try (TableWriter table = TableWriter.create(file, options)) {
      rows.accept(table);
      table.finish();
      return file;
    }
  }

  private Path file(String key, String value) {
    return file(OPTIONS, table -> table.put(bytes(key), bytes(value)));
  }

  private static RocksDbException refused(Code code, String words, org.junit.jupiter.api.function.Executable tried) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, tried);
    assertEquals(code, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(words), refused.getMessage());
    return refused;
  }

  /** Rows by their keys, as the database should have them. */
  private static final class Model {
    final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

    void merge(byte[] key, byte[] operand) {
      byte[] before = rows.get(key);
      rows.put(key, before == null ? operand : bytes(new String(before) + "," + new String(operand)));
    }

    void assertSame(Reader reader) {
      try (Scan scan = reader.scan(KeyRange.all())) {
        for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
          assertTrue(scan.next());
          assertArrayEquals(row.getKey(), scan.keyBytes());
          assertArrayEquals(row.getValue(), scan.valueBytes());
        }
        assertFalse(scan.next());
      }
    }
  }

  /** A file of random rows, which the model has too. */
  private Path random(Random random, Model model) {
    return file(
        OPTIONS,
        table -> {
          if (random.nextInt(3) == 0) { // in the file, it comes before the rows
            int from = random.nextInt(200);
            int until = from + 1 + random.nextInt(40);
            table.deleteRange(key(from), key(until));
            model.rows.subMap(key(from), key(until)).clear();
          }
          int step = 1 + random.nextInt(20);
          for (int row = random.nextInt(100); row < 250; row += 1 + random.nextInt(step)) {
            byte[] value = bytes(Integer.toString(random.nextInt(1000)));
            switch (random.nextInt(4)) {
              case 0 -> {
                table.delete(key(row));
                model.rows.remove(key(row));
              }
              case 1 -> {
                table.merge(key(row), value);
                model.merge(key(row), value);
              }
              default -> {
                table.put(key(row), value);
                model.rows.put(key(row), value);
              }
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ingestionsAmongWritesAreThoseOfAMap(boolean ofFamily) {
    Random random = new Random(41);
    Model model = new Model();
    try (RocksDb db = open()) {
      KeySpace keys = ofFamily ? db.createColumnFamily("family", OPTIONS) : db;
      for (int round = 0; round < 25; round++) {
        for (int writes = random.nextInt(30); writes > 0; writes--) {
          byte[] key = key(random.nextInt(250));
          byte[] value = bytes("w" + round);
          if (random.nextInt(4) == 0) {
            keys.merge(key, value);
            model.merge(key, value);
          } else {
            keys.put(key, value);
            model.rows.put(key, value);
          }
        }
        List<Path> named = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
          named.add(random(random, model));
        }
        boolean move = random.nextBoolean();
        keys.ingest(named, IngestOptions.defaults().move(move).fillCache(random.nextBoolean()));
        named.forEach(file -> assertEquals(!move, Files.exists(file)));
        model.assertSame(keys);
        switch (random.nextInt(6)) {
          case 0 -> keys.compact(KeyRange.all());
          case 1 -> keys.flush();
          default -> {}
        }
      }
      model.assertSame(keys);
    }
    try (RocksDb db = open()) {
      model.assertSame(ofFamily ? db.columnFamily("family") : db);
    }
  }

  @Test
  void aSnapshotSeesNothingOfItUnlessItMay() {
    try (RocksDb db = open();
        Snapshot before = db.snapshot()) {
      db.ingest(file("a", "1"));
      assertNull(read(before, "a"));
      assertEquals("1", read(db, "a"));
      db.ingest(List.of(file("b", "2")), IngestOptions.defaults().snapshotConsistency(false));
      assertEquals("2", read(before, "b"));
    }
  }

  @Test
  void rowsThatAreIngestedBehindAreOlderThanAll() {
    Options behind = OPTIONS.option("cf_allow_ingest_behind", true);
    try (RocksDb db = RocksDb.open(folder.resolve("db"), behind)) {
      db.put(bytes("a"), bytes("new"));
      db.put(bytes("c"), bytes("deleted"));
      db.delete(bytes("c"));
      db.flush();
      Path old =
          file(
              behind,
              table -> {
                table.put(bytes("a"), bytes("old"));
                table.put(bytes("b"), bytes("old"));
                table.put(bytes("c"), bytes("old"));
              });
      db.ingest(List.of(old), IngestOptions.defaults().behind(true));
      assertEquals("new", read(db, "a"));
      assertEquals("old", read(db, "b"));
      assertNull(read(db, "c"));
      db.compact(KeyRange.all());
      assertEquals("new", read(db, "a"));
      assertNull(read(db, "c"));
    }
    Path file = file("a", "1");
    try (RocksDb db = RocksDb.open(folder.resolve("other"), OPTIONS)) {
      refused(
          Code.INVALID_ARGUMENT,
          "open the column family with the option cf_allow_ingest_behind",
          () -> db.ingest(List.of(file), IngestOptions.defaults().behind(true)));
    }
  }

  @Test
  void anIngestionThatIsNotAllowedToDoWhatItMustFailsAndDoesNothing() {
    try (RocksDb db = open()) {
      db.put(bytes("a"), bytes("1"));
      Path file = file("a", "2");
      refused(
          Code.INVALID_ARGUMENT,
          "IngestOptions.blockingFlush",
          () -> db.ingest(List.of(file), IngestOptions.defaults().blockingFlush(false)));
      db.flush();
      refused(
          Code.INVALID_ARGUMENT,
          "Global seqno is required",
          () -> db.ingest(List.of(file), IngestOptions.defaults().globalSequenceNumbers(false)));
      refused(
          Code.TRY_AGAIN,
          "compact the range first",
          () -> db.ingest(List.of(file), IngestOptions.defaults().lastLevelOnly(true)));
      assertEquals("1", read(db, "a"));
      Path apart = file("b", "3");
      db.ingest(List.of(apart), IngestOptions.defaults().globalSequenceNumbers(false).lastLevelOnly(true));
      assertEquals("3", read(db, "b"));
      assertTrue(Files.exists(file));
    }
  }

  @Test
  void allFilesAreIngestedOrNone() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.sst"), "this is no table file, however long it may be ....".repeat(9));
    try (RocksDb db = open()) {
      Path good = file("a", "1");
      refused(Code.CORRUPTION, "it is no table file", () -> db.ingest(List.of(good, broken), MOVE));
      assertNull(read(db, "a"));
      assertTrue(Files.exists(good));
      db.ingest(List.of(good), MOVE);
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void filesThatAreNoTablesAreRefused() throws IOException {
    try (RocksDb db = open()) {
      Path empty = Files.createFile(folder.resolve("empty.sst"));
      refused(Code.CORRUPTION, "it is no table file, or was not finished", () -> db.ingest(empty));
      refused(Code.IO_ERROR, "No such file or directory", () -> db.ingest(folder.resolve("none.sst")));
      refused(Code.INVALID_ARGUMENT, "is no file", () -> db.ingest(folder));
      assertThrowsExactly(
          IllegalArgumentException.class, () -> db.ingest(List.of(), IngestOptions.defaults()));
    }
  }

  @Test
  void aDamagedBlockIsFoundBeforeTheFileIsTaken() throws IOException {
    Path file = file(OPTIONS.compression(Compression.NONE), table -> {
      for (int i = 0; i < 5000; i++) {
        table.put(key(i), key(i));
      }
    });
    byte[] content = Files.readAllBytes(file);
    content[20_000] ^= 1;
    Files.write(file, content);
    try (RocksDb db = open()) {
      refused(Code.CORRUPTION, "checksum", () -> db.ingest(file));
      db.ingest(List.of(file), IngestOptions.defaults().verifyChecksums(false));
      assertThrowsExactly(RocksDbException.class, () -> db.stream(KeyRange.all(), Row::keySize).count());
    }
  }

  @Test
  void aFileIsNamedOnceUnderWhateverNames() throws IOException {
    Path file = file("a", "1");
    Path link = Files.createSymbolicLink(folder.resolve("link.sst"), file);
    try (RocksDb db = open()) {
      IllegalArgumentException twice =
          assertThrowsExactly(IllegalArgumentException.class, () -> db.ingest(List.of(file, link), MOVE));
      assertEquals("files: " + file.toRealPath() + " is named twice", twice.getMessage());
    }
  }

  @Test
  void aSymbolicLinkIsMovedAsTheFileThatItLeadsTo() throws IOException {
    Path file = file("a", "1");
    Path link = Files.createSymbolicLink(folder.resolve("link.sst"), file);
    try (RocksDb db = open()) {
      db.ingest(List.of(link), MOVE);
      assertFalse(Files.exists(file));
      for (LiveFile live : db.liveFiles()) {
        assertFalse(Files.isSymbolicLink(live.path()), live.toString());
      }
    }
    try (RocksDb db = open()) {
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aFileMovesOnceAndIsGone() {
    Path file = file("a", "1");
    try (RocksDb db = open()) {
      db.ingest(List.of(file), MOVE);
      refused(Code.IO_ERROR, "No such file or directory", () -> db.ingest(List.of(file), MOVE));
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void theDatabasesOwnFilesAreRefused() {
    try (RocksDb db = open()) {
      db.ingest(file("a", "1"));
      Path live = db.liveFiles().getFirst().path();
      for (IngestOptions options : List.of(MOVE, IngestOptions.defaults())) {
        refused(
            Code.INVALID_ARGUMENT,
            "is in the folder of the database itself",
            () -> db.ingest(List.of(live), options));
      }
      assertEquals("1", read(db, "a"));
    }
    try (RocksDb db = open()) {
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aFileOfAnotherDatabaseIsCopiedAtMost() {
    try (RocksDb other = RocksDb.open(folder.resolve("other"), OPTIONS);
        RocksDb db = open()) {
      other.ingest(file("a", "1"));
      Path live = other.liveFiles().getFirst().path();
      refused(Code.INVALID_ARGUMENT, "copy it", () -> db.ingest(List.of(live), MOVE));
      db.ingest(live);
      assertEquals("1", read(db, "a"));
      assertEquals("1", read(other, "a"));
      other.put(bytes("b"), bytes("2"));
      other.flush();
      Path own =
          other.liveFiles().stream()
              .filter(file -> Arrays.equals(file.smallestKey(), bytes("b")))
              .findFirst()
              .orElseThrow()
              .path();
      refused(Code.CORRUPTION, "ingest what a TableWriter writes", () -> db.ingest(own));
    }
  }

  @Test
  void aFileInAnotherOrderIsRefused() {
    KeyComparator own = (a, b) -> a.compareTo(b);
    Path backward = file(OPTIONS.keyOrder(KeyOrder.REVERSE_BYTEWISE), table -> table.put(bytes("a"), bytes("1")));
    Path inJava = file(OPTIONS.keyOrder("own", own), table -> table.put(bytes("a"), bytes("1")));
    Path plain = file("a", "1");
    try (RocksDb db = open()) {
      refused(Code.INVALID_ARGUMENT, "write it with the key order of the column family", () -> db.ingest(backward));
      refused(Code.INVALID_ARGUMENT, "write it with the key order of the column family", () -> db.ingest(inJava));
    }
    try (RocksDb db = RocksDb.open(folder.resolve("own"), OPTIONS.keyOrder("own", own))) {
      refused(Code.INVALID_ARGUMENT, "write it with the key order of the column family", () -> db.ingest(plain));
      db.ingest(inJava);
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void whatACutOffLookAtFilesLeftIsClearedAndNothingElse() throws IOException {
    Options options = OPTIONS.keyOrder("own", (a, b) -> a.compareTo(b));
    Path letter = Files.createDirectory(folder.resolve(".rocksdb-ffm-trial0")).resolve("letter");
    Files.writeString(letter, "dear");
    Path left = Files.createDirectory(folder.resolve(".rocksdb-ffm-trial1"));
    Path file = file(options, table -> table.put(bytes("a"), bytes("1")));
    try (RocksDb cutOff = RocksDb.open(left.resolve("db"))) {
      cutOff.put(bytes("a"), bytes("1"));
    }
    try (RocksDb db = RocksDb.open(folder.resolve("own"), options)) {
      db.ingest(file);
      assertEquals("1", read(db, "a"));
    }
    assertFalse(Files.exists(left));
    assertEquals("dear", Files.readString(letter));
  }

  @Test
  void threadsLookAtFilesOfOneFolderAtOnce() throws Exception {
    Options options = OPTIONS.keyOrder("own", (a, b) -> a.compareTo(b));
    int threads = 4;
    Path[] files = new Path[threads];
    for (int i = 0; i < threads; i++) {
      files[i] = file(options, table -> table.put(bytes("a"), bytes("1")));
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<String>> read = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Path place = folder.resolve("db" + i);
        Path file = files[i];
        read.add(
            executor.submit(
                () -> {
                  try (RocksDb db = RocksDb.open(place, options)) {
                    for (int round = 0; round < 20; round++) {
                      db.ingest(file);
                    }
                    return read(db, "a");
                  }
                }));
      }
      for (Future<String> each : read) {
        assertEquals("1", each.get());
      }
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.filter(each -> each.toString().contains("trial")).toList());
    }
  }

  @Test
  void aFileInAnOrderThatHasChangedUnderItsNameIsRefusedBeforeItIsTaken() throws IOException {
    KeyComparator forward = (a, b) -> a.compareTo(b);
    KeyComparator backward = (a, b) -> b.compareTo(a);
    Path changed =
        file(
            OPTIONS.keyOrder("own", forward),
            table -> {
              table.put(bytes("a"), bytes("1"));
              table.put(bytes("b"), bytes("2"));
            });
    Options options = OPTIONS.keyOrder("own", backward);
    Path good = file(options, table -> table.put(bytes("c"), bytes("3")));
    try (RocksDb db = RocksDb.open(folder.resolve("own"), options)) {
      refused(
          Code.INVALID_ARGUMENT,
          "give another order another name",
          () -> db.ingest(List.of(good, changed), IngestOptions.defaults()));
      db.ingest(List.of(good), MOVE);
    }
    try (RocksDb db = RocksDb.open(folder.resolve("own"), options);
        Stream<Path> left = Files.list(folder)) {
      assertEquals("3", read(db, "c"));
      assertEquals(List.of(), left.filter(file -> file.toString().contains("trial")).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 6, 7})
  void operandsAreRefusedWhereNothingMergesThem(int version) {
    Options versioned = OPTIONS.table(TableOptions.defaults().option("format_version", version));
    Path merges =
        file(
            versioned,
            table -> {
              table.put(bytes("a"), bytes("1"));
              table.merge(bytes("b"), bytes("2"));
            });
    Path none = file(versioned, table -> table.put(bytes("a"), bytes("1")));
    try (RocksDb db = RocksDb.open(folder.resolve("plain"), Options.defaults().createIfMissing(true))) {
      refused(Code.INVALID_ARGUMENT, "has no merge operator", () -> db.ingest(merges));
      db.ingest(none);
      assertEquals("1", read(db, "a"));
    }
  }

  @Test
  void aDatabaseThatIsReadAloneRefuses() {
    open().close();
    Path file = file("a", "1");
    try (RocksDb db = RocksDb.openReadOnly(folder.resolve("db"), OPTIONS)) {
      refused(Code.NOT_SUPPORTED, "read only", () -> db.ingest(file));
    }
  }

  @Test
  void aDroppedFamilyIsNotIngestedInto() {
    Path file = file("a", "1");
    try (RocksDb db = open()) {
      ColumnFamily family = db.createColumnFamily("family", OPTIONS);
      db.dropColumnFamily(family);
      IllegalStateException dropped = assertThrowsExactly(IllegalStateException.class, () -> family.ingest(file));
      assertTrue(dropped.getMessage().contains("was dropped"), dropped.getMessage());
      family.close();
      assertThrowsExactly(IllegalStateException.class, () -> family.ingest(file));
    }
  }

  @Test
  void nothingIsIngestedUnderTransactionsThatAreNotEnded() {
    Path file = file("a", "1");
    try (TransactionDb db = TransactionDb.open(folder.resolve("locks"), OPTIONS)) {
      Transaction open = db.begin();
      assertOpenTransactions(() -> db.ingest(file));
      open.close();
      try (Transaction prepared = db.begin()) {
        prepared.put(bytes("b"), bytes("2"));
        prepared.prepare("p");
      }
      assertOpenTransactions(() -> db.ingest(file));
      try (Transaction again = db.prepared().getFirst()) {
        assertOpenTransactions(() -> db.ingest(file));
        again.commit();
      }
      db.ingest(file);
      assertEquals("1", read(db, "a"));
    }
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder.resolve("optimistic"), OPTIONS)) {
      try (Transaction open = db.begin()) {
        open.put(bytes("c"), bytes("3"));
        assertOpenTransactions(() -> db.ingest(file));
        open.commit();
      }
      db.ingest(file);
      assertEquals("1", read(db, "a"));
    }
  }

  private static void assertOpenTransactions(org.junit.jupiter.api.function.Executable tried) {
    IllegalStateException refused = assertThrowsExactly(IllegalStateException.class, tried);
    assertTrue(refused.getMessage().contains("has transactions that are not ended"), refused.getMessage());
  }

  @Test
  void transactionsThatAreBegunMeanwhileWaitAndSeeTheRows() throws InterruptedException {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Thread> ingesting = new AtomicReference<>();
    KeyComparator waiting = (a, b) -> {
      if (Thread.currentThread() == ingesting.get() && within.getCount() > 0) {
        within.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return a.compareTo(b);
    };
    Options ordered = OPTIONS.keyOrder("waiting", waiting);
    Path file = file(ordered, table -> {
      table.put(bytes("a"), bytes("1"));
      table.put(bytes("b"), bytes("2"));
    });
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder.resolve("db"), ordered)) {
      db.put(bytes("a"), bytes("0"));
      Thread ingestion = Thread.ofPlatform().unstarted(() -> db.ingest(file));
      ingesting.set(ingestion);
      ingestion.start();
      within.await();
      AtomicReference<String> seen = new AtomicReference<>();
      Thread beginner = Thread.ofPlatform().start(() -> {
        try (Transaction transaction = db.begin()) {
          seen.set(read(transaction, "a"));
        }
      });
      while (beginner.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertNull(seen.get());
      goOn.countDown();
      ingestion.join();
      beginner.join();
      assertEquals("1", seen.get());
    }
  }

  @Test
  void optionsAreValues() {
    assertEquals(IngestOptions.defaults().move(true), MOVE);
    assertEquals(MOVE.hashCode(), IngestOptions.defaults().move(true).hashCode());
    assertNotEquals(IngestOptions.defaults(), MOVE);
    assertTrue(MOVE.toString().contains("MOVE=true"), MOVE.toString());
  }
}
