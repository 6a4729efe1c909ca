/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactionStyle;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Row;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that an opening's options are checked against the stored database's, before the engine can lose rows. */
@ExtendWith(LiveObjectsCheck.class)
final class StoredDatabaseTest {
  private static final FamilyOptions ADDS = FamilyOptions.defaults().mergeOperator(MergeOperator.uint64Add());
  private static final FamilyOptions IN_JAVA =
      FamilyOptions.defaults().mergeOperator("joins", (key, value, operands) -> operands.getLast().toArray());
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};
  private static final byte[] TWO = {2, 0, 0, 0, 0, 0, 0, 0};

  @TempDir Path temporary;

  /** Creates a database with a merge in the WAL, followed by a hundred rows. */
  private Path merged(FamilyOptions options) {
    Path folder = temporary.resolve("db");
    try (RocksDb db = RocksDb.open(folder)) {
      ColumnFamily counters = db.createFamily("counters", options);
      counters.merge(bytes("n"), ONE);
      for (int i = 0; i < 100; i++) {
        db.put(bytes("row" + i), ONE);
      }
    }
    return folder;
  }

  private static byte[] bytes(String text) {
    return text.getBytes();
  }

  private static long rows(RocksDb db) {
    return db.stream(KeyRange.all(), Row::keySize).count();
  }

  private static RocksDbException refused(Code code, String saying, Runnable opening) {
    RocksDbException e = assertThrows(RocksDbException.class, opening::run);
    assertEquals(code, e.code(), e.getMessage());
    assertTrue(e.getMessage().contains(saying), e.getMessage());
    return e;
  }

  private static void withoutOptionsFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.getFileName().toString().startsWith("OPTIONS-")).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Writes a database with timestamps as rocksdbjni's TtlDB does, by a C function without a binding. */
  private static void writeWithTtl(Path folder) throws Throwable {
    RocksDb.open(folder).close(); // loads the library, and creates the folder
    RocksDb.destroy(folder);
    MethodHandle open =
        Downcalls.link(
            "rocksdb_open_with_ttl", MethodType.methodType(long.class, long.class, long.class, int.class, long.class));
    MemorySegment options = RocksDbC.rocksdb_options_create();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment path = arena.allocateFrom(folder.toString());
      MethodHandle create =
          Downcalls.link("rocksdb_options_set_create_if_missing",
              MethodType.methodType(void.class, long.class, byte.class));
      create.invokeExact(options.address(), (byte) 1);
      long db = (long) open.invokeExact(options.address(), path.address(), 100, error.address());
      assertEquals(0, error.get(ValueLayout.JAVA_LONG, 0));
      RocksDbC.rocksdb_close(MemorySegment.ofAddress(db));
    } finally {
      RocksDbC.rocksdb_options_destroy(options);
    }
  }

  @Test
  void aDatabaseWithTimesInItsValuesIsRefused() throws Throwable {
    Path folder = temporary.resolve("ttl");
    writeWithTtl(folder);
    for (boolean readOnly : new boolean[] {false, true}) {
      refused(
          Code.INVALID_ARGUMENT,
          "the column family 'default' was written by a database with a time to live (TtlDB), which adds four bytes "
          + "to each "
              + "value, and would be read with them",
          () -> (readOnly ? RocksDb.at(folder).openReadOnly() : RocksDb.open(folder)).close());
    }
    FamilyOptions replacing = FamilyOptions.defaults().replaceStored("compaction_filter_factory");
    try (RocksDb db = RocksDb.at(folder).defaults(replacing).openReadOnly()) {
      assertEquals(0, rows(db));
    }
  }

  @Test
  void aFilterWithSuchANameOfItsOwnIsNone() {
    Path folder = temporary.resolve("db");
    FamilyOptions options =
        FamilyOptions.defaults().compactionFilter("MyTtlCompactionFilterFactory", compaction -> null);
    RocksDb.at(folder).defaults(options).open().close();
    RocksDb.at(folder).defaults(options).open().close();
    RocksDb.open(folder).close();
  }

  @Test
  void theEnginesOwnOperatorsAreTakenFromWhatIsStored() {
    Path folder = merged(ADDS);
    for (boolean readOnly : new boolean[] {true, false, true}) {
      try (RocksDb db = readOnly ? RocksDb.at(folder).openReadOnly() : RocksDb.open(folder)) {
        assertEquals(100, rows(db));
        assertArrayEquals(ONE, db.family("counters").get(bytes("n")));
      }
    }
    try (RocksDb db = RocksDb.open(folder)) {
      db.family("counters").merge(bytes("n"), ONE);
      assertArrayEquals(TWO, db.family("counters").get(bytes("n")));
    }
  }

  @Test
  void anOperatorInJavaIsToBeGivenUnderItsName() {
    Path folder = merged(IN_JAVA);
    String saying =
        "the column family 'counters' was written with the merge operator 'joins', and is opened without one";
    refused(Code.INVALID_ARGUMENT, saying, () -> RocksDb.open(folder).close());
    refused(Code.INVALID_ARGUMENT, saying, () -> RocksDb.at(folder).openReadOnly().close());
    try (RocksDb db = RocksDb.at(folder).family("counters", IN_JAVA).open()) {
      assertEquals(100, rows(db));
      assertArrayEquals(ONE, db.family("counters").get(bytes("n")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"max", "nullptr", "{id=StringAppendOperator;delimiter=,}"})
  void anotherOperatorIsRefusedUnlessItIsReplacedOnPurpose(String other) {
    Path folder = merged(ADDS);
    FamilyOptions options = FamilyOptions.defaults().option("merge_operator", other);
    refused(Code.INVALID_ARGUMENT, "'UInt64AddOperator', and is opened with",
        () -> RocksDb.at(folder).family("counters", options).open().close());
    FamilyOptions replacing = options.replaceStored("merge_operator");
    if (other.equals("nullptr")) {
      refused(Code.INVALID_ARGUMENT, "has merges",
          () -> RocksDb.at(folder).family("counters", replacing).open().close());
      try (RocksDb db = RocksDb.open(folder)) {
        db.family("counters").flush();
        db.flush();
      }
      try (RocksDb db = RocksDb.open(folder)) {
        assertEquals(100, rows(db)); // the opening has flushed the rows
      }
    }
    try (RocksDb db = RocksDb.at(folder).family("counters", replacing).open()) {
      assertEquals(100, rows(db));
    }
  }

  @Test
  void anotherDelimiterIsAnotherOperator() {
    Path folder = temporary.resolve("db");
    try (RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','))).open()) {
      db.merge(bytes("k"), bytes("a"));
    }
    refused(Code.INVALID_ARGUMENT, "with the delimiter ','",
        () -> RocksDb.at(folder).defaults(FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend('|')))
            .open().close());
  }

  @ParameterizedTest
  @ValueSource(strings = {";", " ", ", ", "\\n", "{}", "\ufffd"})
  void aDelimiterThatNoTextOfOptionsHasIsRefused(String delimiter) throws IOException {
    Path folder = merged(FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(',')));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.getFileName().toString().startsWith("OPTIONS-")).toList()) {
        // as another release of RocksDB may write it
        Files.writeString(file, Files.readString(file).replace("delimiter=,;", "delimiter=" + delimiter + ";"));
      }
    }
    String saying = "was written with the merge operator 'StringAppendOperator' with the delimiter '";
    refused(Code.INVALID_ARGUMENT, saying, () -> RocksDb.open(folder).close());
    refused(Code.INVALID_ARGUMENT, saying, () -> RocksDb.at(folder).openReadOnly().close());
    Map<String, FamilyOptions> stored;
    try {
      stored = StoredOptions.load(folder).families();
    } catch (IllegalArgumentException refused) {
      return;
    }
    refused(Code.INVALID_ARGUMENT, saying, () -> RocksDb.at(folder).families(stored).open().close());
  }

  @Test
  void withoutAnOptionsFileTheLogIsLookedThroughForMerges() throws IOException {
    Path folder = merged(ADDS);
    withoutOptionsFiles(folder);
    refused(Code.INVALID_ARGUMENT, "is opened without a merge operator, and the log ",
        () -> RocksDb.open(folder).close());
    try (RocksDb db = RocksDb.at(folder).family("counters", ADDS).open()) {
      assertEquals(100, rows(db));
      db.family("counters").flush();
    }
    withoutOptionsFiles(folder);
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(100, rows(db), "no log has merges");
      assertThrows(RocksDbException.class, () -> db.family("counters").get(bytes("n")));
    }
  }

  @Test
  void theOrderOfKeysIsTakenFromWhatIsStored() {
    Path folder = temporary.resolve("db");
    try (RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE)).open()) {
      db.put(bytes("a"), ONE);
      db.put(bytes("b"), ONE);
    }
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(List.of("b", "a"), db.stream(KeyRange.all(), row -> new String(row.keyBytes())).toList());
    }
  }

  @Test
  void logsThatAreElsewhereAreNotForgotten() {
    Path folder = temporary.resolve("db");
    DatabaseOptions elsewhere = DatabaseOptions.defaults().option("wal_dir", temporary.resolve("logs"));
    try (RocksDb db = RocksDb.at(folder).options(elsewhere).open()) {
      db.put(bytes("k"), ONE);
    }
    refused(Code.INVALID_ARGUMENT, "the database's newest rows are in " + temporary.resolve("logs"),
        () -> RocksDb.open(folder).close());
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) { // deletes no WAL files
      assertArrayEquals(ONE, db.get(bytes("k")));
    }
    try (RocksDb db = RocksDb.at(folder).options(elsewhere).open()) {
      assertArrayEquals(ONE, db.get(bytes("k")));
      db.flush();
    }
    try (RocksDb db = RocksDb.at(folder).options(elsewhere).open()) {
      assertArrayEquals(ONE, db.get(bytes("k")));
    }
  }

  @Test
  void rowsAreNotLeftToACompactionThatDeletesTheOldest() {
    Path folder = temporary.resolve("db");
    RocksDb.open(folder).close();
    FamilyOptions fifo = FamilyOptions.defaults().compactionStyle(CompactionStyle.FIFO);
    refused(Code.INVALID_ARGUMENT, "which deletes the oldest rows",
        () -> RocksDb.at(folder).defaults(fifo).open().close());
    RocksDb.at(folder).defaults(fifo.replaceStored("compaction_style")).open().close();
    RocksDb.at(folder).defaults(fifo).open().close();
    var e = assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().replaceStored("ttl"));
    assertEquals(
        "option: 'ttl' is not compared with what is stored; these are: [compaction_filter, compaction_filter_factory, "
        + "compaction_style, merge_operator]",
        e.getMessage());
  }

  @Test
  void aFullyCompactedDatabaseThatIsReadAloneHasItsBlobsAndItsDeletions() {
    Path folder = temporary.resolve("db");
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().enableBlobFiles(true)).open()) {
      db.put(bytes("deleted"), ONE);
      try (Snapshot kept = db.snapshot()) {
        db.deleteRange(bytes("d"), bytes("e"));
        db.put(bytes("k"), TWO);
        db.flush();
      }
    }
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
      assertArrayEquals(TWO, db.get(bytes("k")));
      assertArrayEquals(TWO, db.multiGet(List.of(bytes("k"))).getFirst());
      assertNull(db.get(bytes("deleted")));
    }
  }

  @Test
  void aManifestThatIsCutOffDoesNotLoseAFamily() throws IOException {
    Path folder = temporary.resolve("db");
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("other", FamilyOptions.defaults()).put(bytes("k"), ONE);
    }
    Path manifest = folder.resolve(Files.readString(folder.resolve("CURRENT")).strip());
    byte[] whole = Files.readAllBytes(manifest);
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      Files.write(manifest, Arrays.copyOf(whole, length));
      try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
        assertArrayEquals(ONE, db.family("other").get(bytes("k")), "cut off at " + length + " of " + whole.length);
      } catch (RocksDbException e) {
        refused++;
      }
    }
    assertTrue(refused > whole.length / 2, refused + " of " + whole.length);
  }

  @Test
  void aDropInAsksTheSame() {
    Path folder = merged(ADDS);
    FamilySettings with = new FamilySettings("counters", Map.of("merge_operator", "uint64add"), null, false, Set.of());
    FamilySettings without = new FamilySettings("counters", Map.of(), null, false, Set.of());
    assertNull(refusal(folder.resolve("none"), without));
    assertNull(refusal(folder, with));
    String refusal = refusal(folder, without);
    assertTrue(refusal.contains("'UInt64AddOperator', and is opened without one"), refusal);
  }

  private static String refusal(Path folder, FamilySettings family) {
    return StoredDatabase.refusal(folder, DatabaseKind.PLAIN, Map.of(), List.of(family), Set.of(), new HashMap<>());
  }

  @Test
  void manyFamiliesAreCreatedInOneCall() {
    try (RocksDb db = RocksDb.open(temporary.resolve("db"))) {
      List<ColumnFamily> made = db.createFamilies(Map.of("a", FamilyOptions.defaults(), "b", ADDS, "c", ADDS));
      assertEquals(Set.of("a", "b", "c"), Set.copyOf(made.stream().map(ColumnFamily::name).toList()));
      db.family("b").merge(bytes("n"), ONE);
      assertThrows(RocksDbException.class, () -> db.createFamilies(Map.of("a", FamilyOptions.defaults())));
      assertEquals(List.of(), db.createFamilies(Map.of()));
    }
  }

  /** Tables and info logs in the same new folder: the engine writes an info log there before it refuses the opening. */
  @Test
  void aRefusedOpeningLeavesNoFolderThatItHasMade() {
    Path folder = temporary.resolve("db");
    Path other = temporary.resolve("other");
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(bytes("a"), bytes("b"));
      db.flush();
    }
    FamilyOptions elsewhere =
        FamilyOptions.defaults().paths(List.of(new FamilyOptions.StoragePath(other, ByteSize.gib(1))));
    DatabaseOptions logs = DatabaseOptions.defaults().option("db_log_dir", other);
    assertThrows(RocksDbException.class, () -> RocksDb.at(folder).options(logs).defaults(elsewhere).open());
    assertFalse(Files.exists(other));
    try (RocksDb db = RocksDb.open(folder)) {
      assertArrayEquals(bytes("b"), db.get(bytes("a")));
    }
  }

  @Test
  void halfACharacterIsNoNameOfAFamily() {
    try (RocksDb db = RocksDb.open(temporary.resolve("db"))) {
      var e = assertThrows(IllegalArgumentException.class, () -> db.createFamily("a\ud800", FamilyOptions.defaults()));
      assertTrue(e.getMessage().startsWith("name: 'a\ud800' has half of a surrogate pair"), e.getMessage());
      assertEquals("\ud83d\ude00", db.createFamily("\ud83d\ude00", FamilyOptions.defaults()).name());
    }
    assertThrows(IllegalArgumentException.class,
        () -> FamilyOptions.defaults().mergeOperator("uint64add", (key, value, operands) -> null));
  }
}
