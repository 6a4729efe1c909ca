/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.transactions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionKeys;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.KeyKind;
import org.rocksdbffm.tools.ReadKind;

/** Reads, scans and cursors of transactions, at their snapshots too. */
final class TransactionReadsTest extends TransactionCase {
  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void everyKindOfMemoryIsWrittenAndReadInEveryForm(KeyKind kind) {
    byte[] large = random(5000, 1);
    try (TransactionDb db = locking()) {
      ColumnFamily other = db.createFamily("other", CREATE);
      db.put(bytes("committed"), large);
      other.put(bytes("committed"), OLD);
      try (Transaction transaction = db.begin()) {
        write(transaction, kind);
        TransactionKeys in = transaction.in(other);
        write(in, kind);
        for (ReadKind form : ReadKind.values()) {
          if (!form.pinsBehind()) {
            for (KeyReader reader : List.of(transaction, transaction.forUpdate(), transaction.toShare())) {
              assertArrayEquals(large, form.read(reader, kind.of(bytes("committed"))), form.name());
            }
            for (KeyReader reader
                : List.of(transaction, in, in.forUpdate(), in.with(ReadOptions.defaults().fillCache(false)))) {
              assertEquals("v", text(form.read(reader, kind.of(bytes("put")))), form.name());
              assertEquals("a,b", text(form.read(reader, kind.of(bytes("merged")))), form.name());
              assertNull(form.read(reader, kind.of(bytes("deleted"))), form.name());
              assertNull(form.read(reader, kind.of(bytes("single"))), form.name());
            }
          }
        }
        assertTrue(transaction.contains(bytes("put")));
        assertFalse(transaction.mayExist(bytes("deleted")));
        assertNull(db.get(bytes("put")));
        transaction.commit();
      }
      for (KeySpace keys : List.of(db, other)) {
        assertEquals("v", text(keys.get(bytes("put"))));
        assertEquals("a,b", text(keys.get(bytes("merged"))));
        assertNull(keys.get(bytes("deleted")));
        assertNull(keys.get(bytes("single")));
      }
    }
  }

  private static void write(KeyWriter writer, KeyKind kind) {
    writer.put(bytes("deleted"), OLD);
    writer.put(bytes("single"), OLD);
    switch (kind.of(bytes("put"))) {
      case byte[] key -> {
        writer.put(key, bytes("v"));
        writer.merge(bytes("merged"), bytes("a"));
        writer.merge(bytes("merged"), bytes("b"));
        writer.delete(bytes("deleted"));
        writer.singleDelete(bytes("single"));
      }
      case MemorySegment key -> {
        writer.put(key, (MemorySegment) kind.of(bytes("v")));
        writer.merge((MemorySegment) kind.of(bytes("merged")), (MemorySegment) kind.of(bytes("a")));
        writer.merge((MemorySegment) kind.of(bytes("merged")), (MemorySegment) kind.of(bytes("b")));
        writer.delete((MemorySegment) kind.of(bytes("deleted")));
        writer.singleDelete((MemorySegment) kind.of(bytes("single")));
      }
      default -> throw new AssertionError(kind);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aReaderAtTheSnapshotSeesTheBeginningAndTheOwnWrites(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      ColumnFamily family = db.createFamily("family", CREATE);
      for (KeySpace keys : List.of(db, family)) {
        keys.put(KEY, OLD);
        keys.put(bytes("z"), OLD);
      }
      try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
        for (KeySpace keys : List.of(db, family)) {
          keys.put(KEY, NEW);
          keys.put(bytes("late"), NEW);
        }
        for (TransactionKeys keys : List.of(transaction, transaction.in(family))) {
          keys.put(bytes("own"), NEW);
          KeyReader before = keys.atSnapshot();
          assertArrayEquals(NEW, keys.get(KEY));
          for (KeyReader reader : List.of(before, before.with(ReadOptions.defaults().fillCache(false)))) {
            assertArrayEquals(OLD, reader.get(KEY));
            assertArrayEquals(NEW, reader.get(bytes("own")));
            assertNull(reader.get(bytes("late")));
            assertEquals(List.of("key=old", "own=new", "z=old"), rows(reader.scan(KeyRange.all())));
            assertEquals(List.of("own=new", "key=old"), rows(reader.scanBackward(KeyRange.between(KEY, bytes("z")))));
            assertArrayEquals(OLD, reader.multiGet(List.of(KEY)).getFirst());
          }
        }
        transaction.rollback();
        assertThrows(IllegalStateException.class, transaction::atSnapshot);
      }
      try (Transaction without = db.begin()) {
        assertThrows(IllegalStateException.class, without::atSnapshot);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void scansAndCursorsSeeWhatIsCommittedAndWhatIsWritten(Kind kind) {
    try (TransactionalDb db = kind.open(folder, CREATE);
        Transaction transaction = db.begin()) {
      TreeMap<String, String> model = new TreeMap<>();
      byte[] large = random(100_000, 1);
      for (int i = 0; i < 200; i++) {
        String key = "k%03d".formatted(i);
        if (i % 2 == 0) {
          db.put(bytes(key), bytes("committed"));
          model.put(key, "committed");
        }
        if (i % 3 == 0) {
          transaction.put(bytes(key), bytes("written"));
          model.put(key, "written");
        }
        if (i % 5 == 0) {
          transaction.delete(bytes(key));
          model.remove(key);
        }
      }
      transaction.put(bytes("k050x"), large);
      model.put("k050x", text(large));
      transaction.merge(bytes("k100"), bytes("more"));
      model.merge("k100", "more", (old, more) -> old + "," + more);
      assertEquals(List.copyOf(model.entrySet()).toString(), rows(transaction.scan(KeyRange.all())).toString());
      assertEquals(
          List.copyOf(model.descendingMap().entrySet()).toString(),
          rows(transaction.scanBackward(KeyRange.all())).toString());
      KeyRange part = KeyRange.between(bytes("k040"), bytes("k061"));
      assertEquals(
          List.copyOf(model.subMap("k040", "k061").entrySet()).toString(), rows(transaction.scan(part)).toString());
      assertEquals(
          List.copyOf(model.subMap("k040", true, "k061", false).descendingMap().entrySet()).toString(),
          rows(transaction.scanBackward(part)).toString());
      try (Cursor cursor = transaction.cursor(part)) {
        List<String> found = new ArrayList<>();
        for (boolean has = cursor.first(); has; has = cursor.next()) {
          found.add(text(cursor.keyBytes()));
        }
        assertEquals(List.copyOf(model.subMap("k040", "k061").keySet()), found);
        assertTrue(cursor.seek(bytes("k050x")));
        MemorySegment value = cursor.value();
        transaction.put(bytes("k051"), random(100_000, 1));
        transaction.put(bytes("k052"), random(100_000, 1));
        assertArrayEquals(large, value.toArray(ValueLayout.JAVA_BYTE), "its bytes stay until the move");
        assertTrue(cursor.seekForPrevious(bytes("k0510")));
        assertEquals("k051", text(cursor.keyBytes()));
        assertTrue(cursor.previous());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aScanGoesOnWhileItsTransactionWrites(Kind kind) {
    int count = 2000;
    try (TransactionalDb db = kind.open(folder, CREATE)) {
      for (int i = 0; i < count; i++) {
        db.put(bytes("k%05d".formatted(i)), random(100, 1));
      }
      for (boolean backward : new boolean[] {false, true}) {
        try (Transaction transaction = db.begin()) {
          int seen = 0;
          try (Scan scan = backward ? transaction.scanBackward(KeyRange.all()) : transaction.scan(KeyRange.all())) {
            while (scan.next()) {
              byte[] key = scan.keyBytes();
              assertEquals("k%05d".formatted(backward ? count - 1 - seen : seen), text(key));
              if (seen % 3 == 0) {
                transaction.delete(key);
              } else {
                transaction.put(key, random(seen % 50 == 0 ? 60_000 : 150, 1));
              }
              seen++;
            }
          }
          assertEquals(count, seen);
        }
      }
    }
  }

  @Test
  void iteratorsEndWithTheTransactionAndAtAReturnToASavePoint() {
    try (TransactionDb db = locking();
        Transaction transaction = db.begin()) {
      transaction.put(KEY, NEW);
      transaction.setSavePoint();
      Cursor cursor = transaction.cursor();
      assertTrue(cursor.first());
      transaction.rollbackToSavePoint();
      assertThrows(IllegalStateException.class, cursor::first);
      Scan scan = transaction.scan(KeyRange.all());
      assertTrue(scan.next());
      transaction.commit();
      assertThrows(IllegalStateException.class, scan::next);
      cursor.close();
      scan.close();
    }
  }

  @Test
  void aPinnedValueOutlivesTheTransaction() {
    byte[] large = random(50_000, 1);
    try (TransactionDb db = locking()) {
      db.put(KEY, large);
      db.flush();
      PinnedValue committed;
      PinnedValue written;
      try (Transaction transaction = db.begin()) {
        transaction.put(bytes("written"), large);
        committed = transaction.getPinned(KEY);
        written = transaction.getPinned(bytes("written"));
      }
      try (committed;
          written) {
        assertEquals(-1, committed.segment().mismatch(MemorySegment.ofArray(large)));
        assertEquals(-1, written.segment().mismatch(MemorySegment.ofArray(large)));
      }
    }
  }
}
