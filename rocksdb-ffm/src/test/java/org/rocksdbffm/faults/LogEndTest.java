/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.folder.LiveLog;
import org.rocksdbffm.internal.folder.LogContents;
import org.rocksdbffm.internal.format.LogEnd.Kind;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that the reader of WAL files reports how a file ends. */
@ExtendWith(LiveObjectsCheck.class)
final class LogEndTest {
  private static final DatabaseOptions RECYCLING = DatabaseOptions.defaults().option("recycle_log_file_num", 2);
  private static final FamilyOptions UNCOMPACTED = FamilyOptions.defaults().option("disable_auto_compactions", true);

  @TempDir Path temporary;

  private Path folder() {
    return temporary.resolve("db");
  }

  private static void put(RocksDb db, int from, int until) {
    for (int i = from; i < until; i++) {
      db.put(("k" + i).getBytes(), Bytes.random(500, i));
    }
  }

  private Path written(DatabaseOptions options, int rows) {
    try (RocksDb db = RocksDb.at(folder()).options(options).open()) {
      put(db, 0, rows);
    }
    return folder();
  }

  private static LiveLog only(Path folder) throws IOException {
    List<LiveLog> logs = LogContents.live(folder).logs();
    assertEquals(1, logs.size(), logs::toString);
    return logs.getFirst();
  }

  private interface Change {
    byte[] of(byte[] bytes);
  }

  private static LiveLog changed(Path folder, Change change) throws IOException {
    Path file = only(folder).file();
    Files.write(file, change.of(Files.readAllBytes(file)));
    return only(folder);
  }

  private static byte[] flipped(byte[] bytes, int at) {
    bytes[at] ^= 1;
    return bytes;
  }

  /**
   * Returns a copy of an open database with a recycled WAL file, in which only the mark after the flush and one write
   * are new.
   */
  private Path recycled() throws IOException {
    return recycled(100, db -> db.put("k".getBytes(), "acknowledged".getBytes()));
  }

  /** Returns a copy of an open database with a recycled WAL file, in which only the given writes are new. */
  private Path recycled(int rows, Consumer<RocksDb> last) throws IOException {
    Path copy = temporary.resolve("copy");
    try (RocksDb db = RocksDb.at(folder()).options(RECYCLING).defaults(UNCOMPACTED).open()) {
      for (int i = 0; i < 4; i++) {
        put(db, 0, rows);
        db.flush();
      }
      last.accept(db);
      Folders.copy(db.path(), copy);
    }
    return copy;
  }

  @Test
  void aLogThatWasClosedIsWhole() throws IOException {
    LiveLog log = only(written(DatabaseOptions.defaults(), 100));
    assertEquals(List.of(Kind.WHOLE, 100L, 100L, 1L, 100L),
        List.of(log.end().kind(), log.batches(), log.operations(), log.first(), log.last()));
    assertEquals(log.end().size(), log.end().offset());
  }

  @Test
  void zerosThatWereAllocatedInAdvanceAreNoDamage() throws IOException {
    LiveLog log =
        changed(written(DatabaseOptions.defaults(), 100), bytes -> Arrays.copyOf(bytes, bytes.length + 100_000));
    assertEquals(List.of(Kind.WHOLE, 100L, 100_000L),
        List.of(log.end().kind(), log.operations(), log.end().bytesBehind()));
  }

  @Test
  void aLogThatIsCutInAPayloadOrAHeaderSaysSo() throws IOException {
    Path folder = written(DatabaseOptions.defaults(), 100);
    LiveLog cut = changed(folder, bytes -> Arrays.copyOf(bytes, bytes.length - 1));
    assertEquals(List.of(Kind.CUT, 99L), List.of(cut.end().kind(), cut.operations()));
    LiveLog inHeader = changed(folder, bytes -> Arrays.copyOf(bytes, (int) cut.end().offset() + 3));
    assertEquals(List.of(Kind.CUT, 99L, 3L),
        List.of(inHeader.end().kind(), inHeader.operations(), inHeader.end().bytesBehind()));
  }

  @Test
  void garbageAfterTheLastRecordIsTorn() throws IOException {
    LiveLog log = changed(written(DatabaseOptions.defaults(), 100), bytes -> {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 5000);
      Arrays.fill(longer, bytes.length, longer.length, (byte) 1);
      return longer;
    });
    assertEquals(List.of(Kind.TORN, 100L, 5000L), List.of(log.end().kind(), log.operations(), log.end().bytesBehind()));
  }

  @Test
  void aChangedByteIsDamageWithTheOperationsBehindIt() throws IOException {
    Path folder = written(DatabaseOptions.defaults(), 100);
    for (int at : List.of(20, 4, 5, 10_000, 35_000)) {
      LiveLog log = changed(folder, bytes -> flipped(bytes, at));
      assertEquals(Kind.DAMAGED, log.end().kind(), log::toString);
      assertEquals(99, log.operations() + log.end().operationsBehind(), log::toString);
      assertTrue(log.end().offset() <= at, log::toString);
      changed(folder, bytes -> flipped(bytes, at));
    }
  }

  @Test
  void zerosInThePlaceOfBytesAreDamageWhereverTheyStart() throws IOException {
    Path folder = written(DatabaseOptions.defaults(), 100);
    Path log = only(folder).file();
    byte[] bytes = Files.readAllBytes(log);
    for (int at = 500; at < 900; at++) {
      byte[] zeroed = bytes.clone();
      Arrays.fill(zeroed, at, at + 64, (byte) 0);
      Files.write(log, zeroed);
      if (!Arrays.equals(bytes, zeroed)) {
        assertEquals(Kind.DAMAGED, only(folder).end().kind(), "at " + at);
      }
    }
  }

  @Test
  void aHeaderOnWhichTheEngineNeverReturnsIsNamed() throws IOException {
    LiveLog whole = only(written(DatabaseOptions.defaults(), 10));
    LiveLog log = changed(folder(), bytes -> {
      bytes[(int) (whole.end().size() / 10) + 6] ^= 4; // the type of the second record
      return bytes;
    });
    assertTrue(log.end().isEndless(), log::toString);
    assertEquals(List.of(Kind.DAMAGED, 1L, 8L),
        List.of(log.end().kind(), log.operations(), log.end().operationsBehind()));
  }

  @Test
  void aPageThatWasOnlyWrittenInPartIsNoDamage() throws IOException {
    LiveLog log = changed(written(DatabaseOptions.defaults(), 300), bytes -> {
      int start = startAfter(bytes, 2500);
      Arrays.fill(bytes, start, (start / 4096 + 1) * 4096, (byte) 0);
      return bytes;
    });
    assertEquals(Kind.UNWRITTEN, log.end().kind(), log::toString);
    assertTrue(log.batches() < 60, log::toString);
    try (RocksDb db = RocksDb.open(folder())) {
      assertEquals(log.last(), db.files().latestSequenceNumber());
    }
  }

  /** Returns the position of the first record in the first block that starts at or after a position. */
  private static int startAfter(byte[] bytes, int position) {
    int at = 0;
    while (at < position) {
      at += 7 + (bytes[at + 4] & 0xff) + ((bytes[at + 5] & 0xff) << 8);
    }
    return at;
  }

  @Test
  void aPageThatWasNeverWrittenIsNoDamage() throws IOException {
    LiveLog log = changed(written(DatabaseOptions.defaults(), 100), bytes -> {
      Arrays.fill(bytes, 8192, 12288, (byte) 0);
      return bytes;
    });
    assertEquals(Kind.UNWRITTEN, log.end().kind(), log::toString);
    assertTrue(log.end().operationsBehind() > 50, log::toString);
  }

  @Test
  void aValueOfZerosIsNoPageThatWasNeverWritten() throws IOException {
    try (RocksDb db = RocksDb.open(folder())) {
      for (int i = 0; i < 20; i++) {
        db.put(("k" + i).getBytes(), new byte[9_000]);
      }
    }
    Path folder = folder();
    int record = (int) (only(folder).end().size() / 20);
    for (int at : List.of(record + 5_000, 20, 3 * record + 100, 40_000)) {
      LiveLog log = changed(folder, bytes -> flipped(bytes, at));
      assertEquals(Kind.DAMAGED, log.end().kind(), log::toString);
      changed(folder, bytes -> flipped(bytes, at));
    }
  }

  @Test
  void aLastRecordWithAnEmptyPageWasNeverWrittenCompletely() throws IOException {
    try (RocksDb db = RocksDb.open(folder())) {
      db.put("k".getBytes(), Bytes.random(20_000, 1));
    }
    LiveLog log = changed(folder(), bytes -> {
      Arrays.fill(bytes, 8192, 12288, (byte) 0);
      return bytes;
    });
    assertEquals(List.of(Kind.UNWRITTEN, 0L), List.of(log.end().kind(), log.batches()));
  }

  @Test
  void aRecycledLogEndsInAnOlderRecord() throws IOException {
    LiveLog log = LogContents.live(recycled()).logs().getLast();
    assertEquals(List.of(Kind.RECYCLED, 2L, 1L, 401L, 401L),
        List.of(log.end().kind(), log.batches(), log.operations(), log.first(), log.last()));
    assertTrue(log.end().bytesBehind() > 40_000, log::toString);
    assertEquals(0, log.end().batchesBehind(), log::toString);
  }

  @Test
  void anOlderRecordWhoseMiddleLooksLikeZerosIsTheEndOfARecycledLogToo() throws IOException {
    Path copy = recycled();
    Path file = LogContents.live(copy).logs().getLast().file();
    byte[] bytes = Files.readAllBytes(file);
    int end = (int) LogContents.live(copy).logs().getLast().end().offset();
    Arrays.fill(bytes, end, end + 7, (byte) 0);
    Files.write(file, Arrays.copyOf(bytes, 20_000));
    LiveLog log = LogContents.live(copy).logs().getLast();
    assertEquals(List.of(Kind.RECYCLED, 2L, (long) end), List.of(log.end().kind(), log.batches(), log.end().offset()));
  }

  @Test
  void damageInARecycledLogIsNotItsEnd() throws IOException {
    Path copy = recycled(200, db -> put(db, 0, 100));
    for (int at : List.of(600, 607, 608, 40_000)) {
      Path file = LogContents.live(copy).logs().getLast().file();
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, flipped(whole.clone(), at));
      LiveLog log = LogContents.live(copy).logs().getLast();
      assertEquals(Kind.DAMAGED, log.end().kind(), log::toString);
      assertEquals(99, log.operations() + log.end().operationsBehind(), log::toString);
      Files.write(file, whole);
    }
  }

  @Test
  void aDatabaseThatWasKilledBeforeItsOptionsWereWrittenOpensWithRecycledLogs() throws IOException {
    Path copy = recycled(100, db -> {
      db.put("k".getBytes(), "acknowledged".getBytes());
      db.createFamily("x", FamilyOptions.defaults());
    });
    try (Stream<Path> files = Files.list(copy)) {
      Files.delete(files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-")).max(Path::compareTo)
          .orElseThrow());
    }
    try (RocksDb db = RocksDb.at(copy).openReadOnly()) {
      assertArrayEquals("acknowledged".getBytes(), db.get("k".getBytes()));
    }
    try (RocksDb db = RocksDb.at(copy).options(RECYCLING).open()) {
      assertArrayEquals("acknowledged".getBytes(), db.get("k".getBytes()));
    }
  }

  @Test
  void aCompressedLogSaysHowItEnds() throws IOException {
    Path folder = written(DatabaseOptions.defaults().option("wal_compression", "kZSTD"), 100);
    assertEquals(List.of(Kind.WHOLE, 100L), List.of(only(folder).end().kind(), only(folder).operations()));
    for (int at : List.of(8, 15, 20_000)) {
      LiveLog log = changed(folder, bytes -> flipped(bytes, at));
      assertEquals(Kind.DAMAGED, log.end().kind(), log::toString);
      assertEquals(at < 11 ? 100 : 99, log.operations() + log.end().operationsBehind(), log::toString);
      changed(folder, bytes -> flipped(bytes, at));
    }
  }
}
