/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.keys;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.CompactionFilter.Decision;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Merge operators and compaction filters in Java, and rules for all callbacks; for comparators see
 * {@link KeyComparatorTest}.
 */
@ExtendWith(LiveObjectsCheck.class)
final class CallbackTest {
  private static final KeyComparator BY_LENGTH =
      (a, b) -> a.size() == b.size() ? a.compareTo(b) : Long.compare(a.size(), b.size());

  @TempDir Path folder;

  private RocksDb open(FamilyOptions options) {
    return RocksDb.at(folder.resolve("db")).defaults(options).open();
  }

  @Test
  void aValueIsMergedWhereItIsReadAndWhereItIsCompacted() {
    MergeFunction sum =
        (key, value, operands) -> {
          long total = value == null ? 0 : value.getLong(0);
          for (ByteView operand : operands) {
            total += operand.get(0);
          }
          return java.nio.ByteBuffer.allocate(8).putLong(total).array();
        };
    try (RocksDb db = open(FamilyOptions.defaults().mergeOperator("sum", sum))) {
      for (int i = 0; i < 10; i++) {
        db.merge(bytes("k"), new byte[] {(byte) i});
      }
      byte[] expected = {0, 0, 0, 0, 0, 0, 0, 45};
      assertArrayEquals(expected, db.get(bytes("k")));
      db.flush();
      db.compact(KeyRange.all());
      assertArrayEquals(expected, db.get(bytes("k")));
      db.merge(bytes("k"), new byte[] {5});
      assertEquals(50, db.get(bytes("k"))[7]);
      WriteBatch batch = new WriteBatch();
      batch.merge(bytes("k"), new byte[] {1});
      db.write(batch);
      assertEquals(51, db.get(bytes("k"))[7]);
    }
  }

  @Test
  void operandsAreCombinedWithoutAValue() {
    List<Integer> combined = new ArrayList<>();
    MergeFunction join =
        new MergeFunction() {
          @Override
          public byte[] merge(ByteView key, ByteView value, List<ByteView> operands) {
            return bytes((value == null ? "" : text(value.toArray())) + joined(operands));
          }

          @Override
          public byte[] combine(ByteView key, List<ByteView> operands) {
            combined.add(operands.size());
            return bytes(joined(operands));
          }

          private String joined(List<ByteView> operands) {
            return String.join("", operands.stream().map(operand -> text(operand.toArray())).toList());
          }
        };
    try (RocksDb db = open(FamilyOptions.defaults().mergeOperator("join", join))) {
      db.put(bytes("k"), bytes("0"));
      db.flush();
      // The snapshot prevents a merge with the put, so the flushed file contains operands only.
      try (Snapshot ignored = db.snapshot()) {
        for (String part : List.of("1", "2", "3")) {
          db.merge(bytes("k"), bytes(part));
        }
        db.flush();
      }
      assertEquals("0123", text(db.get(bytes("k"))));
    }
    assertTrue(combined.contains(3) || combined.contains(2), combined.toString());
  }

  @Test
  void whatAMergeThrowsIsTheCauseOfTheReadsFailure() {
    RuntimeException broken = new RuntimeException("broken");
    try (RocksDb db =
        open(
            FamilyOptions.defaults().mergeOperator(
                "broken",
                (key, value, operands) -> {
                  throw broken;
                }))) {
      db.merge(bytes("k"), bytes("1"));
      RocksDbException failed = assertThrows(RocksDbException.class, () -> db.get(bytes("k")));
      assertEquals(RocksDbException.Code.CORRUPTION, failed.code());
      assertSame(broken, failed.getCause());
      db.put(bytes("k"), bytes("2"));
      assertEquals("2", text(db.get(bytes("k"))));
    }
  }

  @Test
  void aMergeThatGivesUpFailsTheRead() {
    try (RocksDb db = open(FamilyOptions.defaults().mergeOperator("none", (key, value, operands) -> null))) {
      db.merge(bytes("k"), bytes("1"));
      RocksDbException failed = assertThrows(RocksDbException.class, () -> db.get(bytes("k")));
      assertNull(failed.getCause());
    }
  }

  @Test
  void aFilterKeepsRemovesAndChanges() {
    List<CompactionFilter.Compaction> compactions = new ArrayList<>();
    CompactionFilter.Factory factory =
        compaction -> {
          compactions.add(compaction);
          return (level, key, value) ->
              switch (key.get(0)) {
                case 'r' -> Decision.REMOVE;
                case 'c' -> Decision.change(bytes("changed " + text(value.toArray())));
                default -> Decision.KEEP;
              };
        };
    try (RocksDb db = open(FamilyOptions.defaults().compactionFilter("by letter", factory))) {
      for (String key : List.of("keep", "remove", "change", "change2")) {
        db.put(bytes(key), bytes("value"));
      }
      db.flush();
      db.compact(KeyRange.all());
      assertEquals(List.of("change", "change2", "keep"), keys(db));
      assertEquals("changed value", text(db.get(bytes("change"))));
      assertEquals("value", text(db.get(bytes("keep"))));
    }
    assertTrue(compactions.contains(new CompactionFilter.Compaction(true, true)), compactions.toString());
  }

  @Test
  void whatAFilterThrowsLosesNothing() {
    List<CompactionFilter.Factory> broken =
        List.of(
            compaction -> {
              throw new IllegalStateException("no filter");
            },
            compaction -> (level, key, value) -> {
              throw new IllegalStateException("no decision");
            },
            compaction -> (level, key, value) -> null,
            compaction -> null);
    for (int i = 0; i < broken.size(); i++) {
      try (RocksDb db = RocksDb.at(folder.resolve("db" + i))
          .defaults(FamilyOptions.defaults().compactionFilter("broken", broken.get(i))).open()) {
        db.put(bytes("k"), bytes("v"));
        db.flush();
        db.compact(KeyRange.all());
        assertEquals("v", text(db.get(bytes("k"))));
      }
    }
  }

  @Test
  void aViewIsOfNoUseAfterItsCallbackAndOnAnotherThread() throws Exception {
    AtomicReference<ByteView> kept = new AtomicReference<>();
    AtomicReference<Throwable> elsewhere = new AtomicReference<>();
    MergeFunction function =
        (key, value, operands) -> {
          kept.set(operands.get(0));
          Thread other =
              Thread.ofPlatform()
                  .start(() -> elsewhere.set(assertThrows(WrongThreadException.class, () -> key.get(0))));
          join(other);
          assertThrows(IndexOutOfBoundsException.class, () -> key.get(1));
          assertThrows(IndexOutOfBoundsException.class, () -> key.get(-1));
          assertThrows(IndexOutOfBoundsException.class, () -> key.getLong(0));
          assertThrows(IndexOutOfBoundsException.class, () -> key.getInt(-1));
          assertThrows(IndexOutOfBoundsException.class, () -> operands.get(1));
          assertEquals("a view of 1 bytes", key.toString());
          byte[] part = new byte[3];
          key.copyTo(0, part, 1, 1);
          assertArrayEquals(new byte[] {0, 'k', 0}, part);
          return new byte[0];
        };
    try (RocksDb db = open(FamilyOptions.defaults().mergeOperator("keeping", function))) {
      db.merge(bytes("k"), bytes("1"));
      assertArrayEquals(new byte[0], db.get(bytes("k")));
    }
    assertEquals(WrongThreadException.class, elsewhere.get().getClass());
    assertThrows(IllegalStateException.class, () -> kept.get().size());
    assertThrows(IllegalStateException.class, () -> kept.get().toArray());
    assertEquals("a view of a callback that is over", kept.get().toString());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCallbackCannotUseTheDatabaseThatCallsItButAnother() {
    AtomicReference<RocksDb> own = new AtomicReference<>();
    List<String> refused = new ArrayList<>();
    try (RocksDb other = RocksDb.at(folder.resolve("other"))
        .defaults(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH)).open()) {
      other.put(bytes("k"), bytes("from the other"));
      MergeFunction function =
          (key, value, operands) -> {
            for (Runnable use :
                List.<Runnable>of(
                    () -> own.get().get(bytes("k")), () -> own.get().put(bytes("k"), bytes("")), own.get()::close)) {
              refused.add(assertThrows(IllegalStateException.class, use::run).getMessage());
            }
            byte[] found = other.get(key.toArray());
            assertEquals(1, key.size());
            return found;
          };
      try (RocksDb db = open(FamilyOptions.defaults().mergeOperator("looking", function))) {
        own.set(db);
        db.merge(bytes("k"), bytes("1"));
        assertEquals("from the other", text(db.get(bytes("k"))));
      }
    }
    assertEquals(3, refused.size());
    assertEquals(
        "database " + folder.resolve("db")
            + " cannot be used by the merge operator 'looking', which it calls and waits for",
        refused.get(0));
  }

  /** For a read-only database, the engine has another class, and a third one for a compacted database. */
  @Test
  void aDatabaseForReadingAloneIsServedByItsOwnCallbacks() {
    for (boolean compacted : new boolean[] {false, true}) {
      Path path = folder.resolve("compacted " + compacted);
      AtomicReference<RocksDb> own = new AtomicReference<>();
      List<String> refused = new ArrayList<>();
      MergeFunction function =
          (key, value, operands) -> {
            if (own.get() != null) {
              refused.add(assertThrows(IllegalStateException.class, own.get()::close).getMessage());
            }
            return operands.getLast().toArray();
          };
      FamilyOptions options = FamilyOptions.defaults().keyOrder("by length", BY_LENGTH).mergeOperator("last", function);
      try (RocksDb db = RocksDb.at(path).defaults(options).open()) {
        for (String key : List.of("aaa", "c", "bb")) {
          db.merge(bytes(key), bytes("v" + key));
        }
        if (compacted) {
          db.compact(KeyRange.all());
        }
      }
      try (RocksDb db = RocksDb.at(path).defaults(options).openReadOnly()) {
        own.set(db);
        System.gc();
        assertEquals("vbb", text(db.get(bytes("bb"))));
        assertEquals(List.of("c", "bb", "aaa"), keys(db));
      }
      assertTrue(compacted || !refused.isEmpty());
      refused.forEach(
          message ->
              assertEquals(
                  "database " + path + " cannot be used by the merge operator 'last', which it calls and waits for",
                  message));
    }
  }
}
