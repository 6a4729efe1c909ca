/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Row;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests the files that a table writer creates, refuses to create, or deletes unfinished. */
@ExtendWith(LiveObjectsCheck.class)
final class TableWriterTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes();
  }

  private Path file() {
    return folder.resolve("1.sst");
  }

  private static String read(RocksDb db, String key) {
    byte[] value = db.get(bytes(key));
    return value == null ? null : new String(value);
  }

  @Test
  void everyOperationOfEveryKindOfMemoryIsInTheFile() {
    TableWriter.TableFile written;
    try (Arena arena = Arena.ofConfined();
        TableWriter table = TableWriter.create(file(), OPTIONS)) {
      MemorySegment segment = arena.allocateFrom("c");
      table.put(bytes("a"), bytes("1"));
      table.merge(bytes("b"), bytes("2"));
      table.delete(bytes("bb"));
      table.put(segment.asSlice(0, 1), MemorySegment.ofArray(bytes("3")));
      table.merge(MemorySegment.ofArray(bytes("d")), MemorySegment.ofArray(bytes("4")));
      table.delete(MemorySegment.ofArray(bytes("dd")));
      table.put(MemorySegment.ofArray(bytes("-e-")).asSlice(1, 1), MemorySegment.ofArray(bytes("5")));
      table.merge(bytes("f"), bytes("6"));
      table.delete(bytes("ff"));
      table.deleteRange(bytes("x"), bytes("y"));
      table.deleteRange(MemorySegment.ofArray(bytes("v")), MemorySegment.ofArray(bytes("w")));
      table.deleteRange(bytes("t"), bytes("u"));
      written = table.finish();
    }
    assertEquals(file(), written.path());
    assertEquals(ByteSize.bytes(file().toFile().length()), written.size());
    assertEquals(9, written.entries());
    assertEquals(3, written.rangeDeletions());
    assertArrayEquals(bytes("a"), written.smallestKey());
    assertArrayEquals(bytes("y"), written.largestKey());
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      for (String key : List.of("b", "bb", "dd", "ff", "t", "v", "xx", "y")) {
        db.put(bytes(key), bytes("before"));
      }
      db.files().ingest(file());
      assertEquals("1", read(db, "a"));
      assertEquals("before,2", read(db, "b"));
      assertEquals("3", read(db, "c"));
      assertEquals("4", read(db, "d"));
      assertEquals("5", read(db, "e"));
      assertEquals("6", read(db, "f"));
      for (String key : List.of("bb", "dd", "ff", "t", "v", "xx")) {
        assertNull(read(db, key), key);
      }
      assertEquals("before", read(db, "y"));
    }
  }

  @Test
  void aKeyThatIsNotBehindTheLastIsNamedAndLeavesTheFileAsItWas() {
    try (TableWriter table = TableWriter.create(file(), OPTIONS)) {
      table.put(bytes("b"), bytes("1"));
      for (String key : List.of("a", "b", "")) {
        IllegalArgumentException refused =
            assertThrowsExactly(IllegalArgumentException.class, () -> table.put(bytes(key), bytes("2")));
        String hex = key.isEmpty() ? "" : Integer.toHexString(key.charAt(0));
        assertEquals(
            "key: 0x" + hex + " does not come behind 0x62, the last key of the table file " + file()
                + ": add each key once, in the ascending order of the options",
            refused.getMessage());
      }
      table.put(bytes("c"), bytes("3"));
      assertEquals(2, table.finish().entries());
    }
  }

  @Test
  void aRangeThatEndsBeforeItBeginsIsRefusedAndAnEmptyOneIsNone() {
    try (TableWriter table = TableWriter.create(file(), OPTIONS)) {
      IllegalArgumentException refused =
          assertThrowsExactly(IllegalArgumentException.class, () -> table.deleteRange(bytes("b"), bytes("a")));
      assertEquals(
          "until: 0x61 lies before from, 0x62, in the order of the column family; exchange them", refused.getMessage());
      table.deleteRange(bytes("b"), bytes("b"));
      assertThrowsExactly(IllegalStateException.class, table::finish);
      table.deleteRange(bytes("b"), bytes("d"));
      table.deleteRange(KeyRange.between(bytes("a"), bytes("c")));
      TableWriter.TableFile written = table.finish();
      assertEquals(0, written.entries());
      assertEquals(2, written.rangeDeletions());
      assertArrayEquals(bytes("a"), written.smallestKey());
      assertArrayEquals(bytes("d"), written.largestKey());
    }
  }

  @Test
  void theEnginesBackwardOrderAndOneInJavaAreFollowed() {
    KeyComparator backward = (a, b) -> b.compareTo(a);
    for (FamilyOptions order :
        List.of(OPTIONS.keyOrder(KeyOrder.REVERSE_BYTEWISE), OPTIONS.keyOrder("backward", backward))) {
      Path file = folder.resolve(System.nanoTime() + ".sst");
      try (TableWriter table = TableWriter.create(file, order)) {
        table.put(bytes("b"), bytes("1"));
        assertThrowsExactly(IllegalArgumentException.class, () -> table.put(bytes("c"), bytes("2")));
        assertThrowsExactly(IllegalArgumentException.class, () -> table.deleteRange(bytes("a"), bytes("c")));
        table.deleteRange(bytes("z"), bytes("x"));
        table.put(bytes("a"), bytes("3"));
        TableWriter.TableFile written = table.finish();
        assertArrayEquals(bytes("z"), written.smallestKey());
        assertArrayEquals(bytes("a"), written.largestKey());
      }
      try (RocksDb db = RocksDb.at(folder.resolve("db" + System.nanoTime())).defaults(order).open()) {
        db.put(bytes("y"), bytes("0"));
        db.files().ingest(file);
        assertEquals("3", read(db, "a"));
        assertEquals("1", read(db, "b"));
        assertNull(read(db, "y"));
      }
    }
  }

  @Test
  void anOrderThatThrowsStopsTheFileWithItsCause() {
    RuntimeException thrown = new RuntimeException("no order");
    AtomicReference<RuntimeException> next = new AtomicReference<>();
    KeyComparator failing = (a, b) -> {
      if (next.get() != null) {
        throw next.get();
      }
      return a.compareTo(b);
    };
    try (TableWriter table = TableWriter.create(file(), OPTIONS.keyOrder("failing", failing))) {
      table.put(bytes("a"), bytes("1"));
      table.put(bytes("b"), bytes("2"));
      next.set(thrown);
      IllegalStateException stopped =
          assertThrowsExactly(IllegalStateException.class, () -> table.put(bytes("c"), bytes("3")));
      assertSame(thrown, stopped.getCause());
      assertTrue(stopped.getMessage().startsWith("table file " + file() + " has stopped"), stopped.getMessage());
      assertThrowsExactly(IllegalStateException.class, table::finish);
    }
    assertFalse(Files.exists(file()));
  }

  @Test
  void anOrderThatGoesInCirclesMakesNoFile() {
    // a < b < c < a
    KeyComparator circular = (a, b) -> (b.get(0) - a.get(0) + 3) % 3 == 1 ? -1 : a.get(0) == b.get(0) ? 0 : 1;
    try (TableWriter table = TableWriter.create(file(), OPTIONS.keyOrder("circular", circular))) {
      assertThrowsExactly(
          IllegalStateException.class,
          () -> {
            table.put(bytes("a"), bytes("1"));
            table.put(bytes("b"), bytes("2"));
            table.put(bytes("c"), bytes("3"));
            table.finish();
          });
    }
    assertFalse(Files.exists(file()));
  }

  @Test
  void anOrderMayNotUseTheFileThatItServes() {
    AtomicReference<TableWriter> served = new AtomicReference<>();
    AtomicReference<Throwable> refused = new AtomicReference<>();
    KeyComparator reentrant = (a, b) -> {
      if (served.get() != null) {
        try {
          served.get().close();
        } catch (IllegalStateException e) {
          refused.set(e);
        }
      }
      return a.compareTo(b);
    };
    try (TableWriter table = TableWriter.create(file(), OPTIONS.keyOrder("reentrant", reentrant))) {
      table.put(bytes("a"), bytes("1"));
      served.set(table);
      table.put(bytes("b"), bytes("2"));
      served.set(null);
      assertTrue(refused.get().getMessage().contains("cannot be used by the comparator"), refused.get().getMessage());
      assertEquals(2, table.finish().entries());
    }
  }

  @Test
  void aFileThatIsThereStaysAsItIs() throws IOException {
    Files.writeString(file(), "kept");
    RocksDbException refused =
        assertThrowsExactly(RocksDbException.class, () -> TableWriter.create(file(), OPTIONS));
    assertEquals(Code.INVALID_ARGUMENT, refused.code());
    assertTrue(refused.getMessage().contains("is there already"), refused.getMessage());
    assertEquals("kept", Files.readString(file()));
    Path link = Files.createSymbolicLink(folder.resolve("link.sst"), folder.resolve("nowhere"));
    assertThrowsExactly(RocksDbException.class, () -> TableWriter.create(link, OPTIONS));
    assertFalse(Files.exists(folder.resolve("nowhere")));
  }

  @Test
  void theFolderOfADatabaseAndOneThatIsNotThereAreRefused() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      RocksDbException refused =
          assertThrowsExactly(RocksDbException.class, () -> TableWriter.create(db.path().resolve("1.sst"), OPTIONS));
      assertTrue(refused.getMessage().contains("is the folder of a database"), refused.getMessage());
    }
    RocksDbException missing =
        assertThrowsExactly(
            RocksDbException.class, () -> TableWriter.create(folder.resolve("none").resolve("1.sst"), OPTIONS));
    assertTrue(missing.getMessage().contains("create the folder above it first"), missing.getMessage());
    assertThrowsExactly(RocksDbException.class, () -> TableWriter.create(Path.of("/"), OPTIONS));
  }

  @Test
  void aFileThatIsNotFinishedGoesWithItsWriterAndAFinishedOneStays() {
    TableWriter given = TableWriter.create(file(), OPTIONS);
    given.put(bytes("a"), new byte[1 << 20]);
    assertTrue(Files.exists(file()));
    given.close();
    assertFalse(Files.exists(file()));
    try (TableWriter table = TableWriter.create(file(), OPTIONS)) {
      table.put(bytes("a"), new byte[1 << 20]);
      table.finish();
      IllegalStateException finished =
          assertThrowsExactly(IllegalStateException.class, () -> table.put(bytes("b"), bytes("1")));
      assertEquals(
          "table file " + file() + " is finished: nothing can be added to it any more", finished.getMessage());
      assertThrowsExactly(IllegalStateException.class, table::finish);
    }
    assertTrue(Files.exists(file()));
  }

  @Test
  void anEmptyFileCannotBeFinished() {
    try (TableWriter table = TableWriter.create(file(), OPTIONS)) {
      IllegalStateException empty = assertThrowsExactly(IllegalStateException.class, table::finish);
      assertTrue(empty.getMessage().contains("has no entries"), empty.getMessage());
      table.put(new byte[0], new byte[0]);
      assertEquals(1, table.finish().entries());
    }
  }

  @Test
  void operandsNeedAnOperatorAndThereAreNoSingleDeletions() {
    try (TableWriter table = TableWriter.create(file(), FamilyOptions.defaults())) {
      assertThrowsExactly(IllegalStateException.class, () -> table.merge(bytes("a"), bytes("b")));
      assertThrowsExactly(UnsupportedOperationException.class, () -> table.singleDelete(bytes("a")));
      assertThrowsExactly(
          UnsupportedOperationException.class, () -> table.singleDelete(MemorySegment.ofArray(bytes("a"))));
    }
  }

  @Test
  void oneThreadAtATimeWrites() throws InterruptedException {
    CountDownLatch within = new CountDownLatch(1);
    CountDownLatch tried = new CountDownLatch(1);
    AtomicReference<Thread> slow = new AtomicReference<>();
    KeyComparator waiting = (a, b) -> {
      if (Thread.currentThread() == slow.get() && within.getCount() > 0) {
        within.countDown();
        awaitUninterruptibly(tried);
      }
      return a.compareTo(b);
    };
    try (TableWriter table = TableWriter.create(file(), OPTIONS.keyOrder("waiting", waiting))) {
      table.put(bytes("a"), bytes("1"));
      Thread other = Thread.ofPlatform().unstarted(() -> table.put(bytes("b"), bytes("2")));
      slow.set(other);
      other.start();
      within.await();
      IllegalStateException refused =
          assertThrowsExactly(IllegalStateException.class, () -> table.put(bytes("c"), bytes("3")));
      assertTrue(refused.getMessage().contains("is in use already"), refused.getMessage());
      assertThrowsExactly(IllegalStateException.class, table::size);
      tried.countDown();
      other.join();
      assertEquals(2, table.finish().entries());
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void manyRowsOfAnySizeComeBack() {
    try (TableWriter table = TableWriter.create(file(), OPTIONS)) {
      for (int i = 0; i < 20_000; i++) {
        table.put(bytes("%06d".formatted(i)), new byte[i % 300]);
      }
      table.put(bytes("large"), new byte[5 << 20]);
      assertTrue(table.size().bytes() > 100_000, table.size().toString());
      assertEquals(20_001, table.finish().entries());
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      db.files().ingest(file());
      assertEquals(20_001, db.stream(KeyRange.all(), Row::keySize).count());
      assertEquals(5 << 20, db.get(bytes("large")).length);
      assertEquals(299, db.get(bytes("000299")).length);
    }
  }

  @Test
  void filesAreComparedByWhatTheyTell() {
    TableWriter.TableFile one = finished("1.sst");
    TableWriter.TableFile other = finished("2.sst");
    assertFalse(one.equals(other));
    assertEquals(one, one);
    assertEquals(one.hashCode(), one.hashCode());
    assertEquals(file() + ", " + one.size() + ", 1 entries, 0 deletions of ranges", one.toString());
    one.smallestKey()[0] = 'z';
    assertArrayEquals(bytes("k"), one.smallestKey());
  }

  private TableWriter.TableFile finished(String name) {
    try (TableWriter table = TableWriter.create(folder.resolve(name), OPTIONS)) {
      table.put(bytes("k"), bytes("v"));
      return table.finish();
    }
  }
}
