/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.Order;

/** A column family with a sorted map of its expected rows, and the views through which rows are read. */
final class Store implements AutoCloseable {
  /** How the database is opened. */
  enum Kind {
    PLAIN,
    LOCKING,
    OPTIMISTIC
  }

  /** How keys are merged. */
  enum Merging {
    NONE,
    ENGINE,
    JAVA
  }

  /** The settings that stay the same for all openings. */
  record Shape(Order order, Kind kind, Merging merging, boolean isDefault) {
    FamilyOptions options(Settings settings) {
      FamilyOptions options = settings.in(order.options());
      return switch (merging) {
        case NONE -> options;
        case ENGINE -> options.mergeOperator(MergeOperator.stringAppend(','));
        case JAVA -> options.mergeOperator("appends", (key, value, operands) -> {
          byte[] all = value == null ? null : value.toArray();
          for (var operand : operands) {
            all = all == null ? operand.toArray() : Write.append(all, operand.toArray());
          }
          return all;
        });
      };
    }
  }

  /** Sources of rows that a query reads. */
  enum View {
    LATEST,
    SNAPSHOT,
    TRANSACTION,
    TRANSACTION_SNAPSHOT,
    BATCH,
    READ_ONLY,
    FOLLOWER,
    CHECKPOINT,
    BACKUP
  }

  private record Taken(Snapshot snapshot, NavigableMap<byte[], byte[]> rows) {}

  private final Path parent;
  private final Path folder;
  private final Shape shape;
  private final List<Taken> allTaken = new ArrayList<>();
  private final List<Write> ofTransaction = new ArrayList<>();
  private final List<Write> refused = new ArrayList<>(); // refused transaction writes, perhaps locked
  private final List<Write> ofBatch = new ArrayList<>();
  private TreeMap<byte[], byte[]> rows;
  private NavigableMap<byte[], byte[]> rowsAtBegin;
  private RocksDb db;
  private Transaction transaction; // null for none
  private IndexedBatch batch; // null for none
  private Settings settings;
  private int savePoint = -1;
  private int copies;

  Store(Path parent, Shape shape, Settings settings) {
    this.parent = parent;
    this.folder = parent.resolve("db");
    this.shape = shape;
    this.settings = settings;
    rows = new TreeMap<>(shape.order().comparator);
    db = open();
  }

  private Map<String, FamilyOptions> families() {
    boolean isThere = !shape.isDefault && Files.exists(folder.resolve("CURRENT"));
    return isThere ? Map.of("other", shape.options(settings)) : Map.of();
  }

  private RocksDb open() {
    FamilyOptions options = shape.options(settings);
    return switch (shape.kind) {
      case PLAIN -> RocksDb.at(folder).defaults(options).families(families()).open();
      case LOCKING -> RocksDb.at(folder).defaults(options).families(families()).openTransactional();
      case OPTIMISTIC -> RocksDb.at(folder).defaults(options).families(families()).openOptimistic();
    };
  }

  private KeySpace keys() {
    return shape.isDefault ? db : db.familyOrCreate("other", shape.options(settings));
  }

  private ColumnFamily family(RocksDb of) {
    return of.family(shape.isDefault ? RocksDb.DEFAULT_COLUMN_FAMILY : "other");
  }

  private boolean isLocked(Write write) {
    return shape.kind == Kind.LOCKING
        && Stream.concat(ofTransaction.stream(), refused.stream())
            .anyMatch(own -> shape.order.comparator.compare(own.key(), write.key()) == 0);
  }

  /** Writes changes one by one, or in one batch. */
  void write(List<Write> writes, boolean asBatch) {
    List<Write> free = writes.stream().filter(write -> !isLocked(write)).toList();
    if (asBatch) {
      WriteBatch together = new WriteBatch();
      keys();
      free.forEach(write -> write.to(together.in(family(db))));
      db.write(together);
    } else {
      free.forEach(write -> write.to(keys()));
    }
    rows = Write.above(rows, free);
  }

  void deleteRange(RangeOfRows range, boolean asBatch) {
    if (shape.kind != Kind.PLAIN) {
      return;
    }
    try {
      if (asBatch) {
        WriteBatch of = new WriteBatch();
        keys();
        of.in(family(db)).deleteRange(range.range());
        db.write(of);
      } else {
        keys().deleteRange(range.range());
      }
    } catch (IllegalArgumentException e) {
      assertTrue(range.isRefused(shape.order, e.getMessage()), e::toString);
      return;
    }
    rows.keySet().removeAll(range.of(rows).keySet());
  }

  void maintain(Consumer<KeySpace> work) {
    work.accept(keys());
  }

  void takeSnapshot() {
    allTaken.add(new Taken(keys().snapshot(), new TreeMap<>(rows)));
  }

  void begin(boolean snapshot) {
    endTransaction(Transaction::rollback);
    if (db instanceof TransactionalDb transactional) {
      keys();
      transaction = transactional.begin(TransactionOptions.defaults().snapshot(snapshot));
      rowsAtBegin = snapshot ? new TreeMap<>(rows) : null;
    }
  }

  void commit() {
    List<Write> written = List.copyOf(ofTransaction);
    if (transaction != null && endTransaction(Transaction::commit)) {
      rows = Write.above(rows, written);
    }
  }

  private boolean endTransaction(Consumer<Transaction> end) {
    if (transaction == null) {
      return true;
    }
    try (Transaction ended = transaction) {
      end.accept(ended);
      return true;
    } catch (RocksDbException e) {
      if (shape.kind == Kind.OPTIMISTIC && (e.code() == Code.BUSY || e.code() == Code.TRY_AGAIN)) {
        return false;
      }
      throw e;
    } finally {
      transaction = null;
      savePoint = -1;
      ofTransaction.clear();
      refused.clear();
    }
  }

  void writeInTransaction(List<Write> writes) {
    for (Write write : transaction == null ? List.<Write>of() : writes) {
      try {
        write.to(shape.isDefault ? transaction : transaction.in(family(db)));
        ofTransaction.add(write);
      } catch (RocksDbException e) {
        assertTrue(rowsAtBegin != null && e.code() == Code.BUSY, e::toString); // changed since the snapshot
        refused.add(write);
      }
    }
  }

  /** Sets a save point, or rolls back to the existing one. */
  void savePoint() {
    if (transaction != null && savePoint < 0) {
      transaction.setSavePoint();
      savePoint = ofTransaction.size();
    } else if (transaction != null) {
      transaction.rollbackToSavePoint();
      ofTransaction.subList(savePoint, ofTransaction.size()).clear();
      savePoint = -1;
    }
  }

  void writeInBatch(List<Write> writes) {
    keys();
    batch = batch == null ? db.indexedBatch() : batch;
    writes.forEach(write -> write.to(shape.isDefault ? batch : batch.in(family(db))));
    ofBatch.addAll(writes);
  }

  void endBatch(boolean write) {
    if (batch != null && write && ofBatch.stream().noneMatch(this::isLocked)) {
      batch.write();
      rows = Write.above(rows, ofBatch);
    }
    if (batch != null) {
      batch.close();
    }
    batch = null;
    ofBatch.clear();
  }

  void read(View view, int which, List<Query> queries) throws IOException {
    switch (view) {
      case LATEST -> check(queries, keys(), rows);
      case SNAPSHOT -> {
        if (!allTaken.isEmpty()) {
          Taken taken = allTaken.get(which % allTaken.size());
          check(queries, shape.isDefault ? taken.snapshot : taken.snapshot.of(family(db)), taken.rows);
        }
      }
      case TRANSACTION -> {
        if (transaction != null) {
          check(queries, shape.isDefault ? transaction : transaction.in(family(db)), Write.above(rows, ofTransaction));
        }
      }
      case TRANSACTION_SNAPSHOT -> {
        if (transaction != null && rowsAtBegin != null) {
          KeyReader at = shape.isDefault ? transaction.atSnapshot() : transaction.in(family(db)).atSnapshot();
          check(queries, at, Write.above(rowsAtBegin, ofTransaction));
        }
      }
      case BATCH -> {
        if (batch != null) {
          check(queries, shape.isDefault ? batch : batch.in(family(db)), Write.above(rows, ofBatch));
        }
      }
      default -> readCopy(view, queries);
    }
  }

  private void readCopy(View view, List<Query> queries) throws IOException {
    keys();
    Path copy = parent.resolve("copy" + copies++);
    FamilyOptions options = shape.options(settings);
    switch (view) {
      case READ_ONLY -> {
        close();
        checkClosing(queries, RocksDb.at(folder).defaults(options).families(families()).openReadOnly());
        db = open();
      }
      case FOLLOWER -> {
        try (Follower follower = RocksDb.at(folder).defaults(options).families(families()).openFollower()) {
          follower.read(reading -> {
            check(queries, family(reading), rows);
            return null;
          });
        }
      }
      default -> {
        if (view == View.CHECKPOINT) {
          db.files().checkpoint(copy);
        } else {
          try (Backups backups = Backups.open(parent.resolve("backups"))) {
            backups.create(db);
            backups.restoreLatest(copy);
          }
        }
        checkClosing(queries, RocksDb.at(copy).defaults(options).families(families()).open());
        Folders.delete(copy);
      }
    }
  }

  private void checkClosing(List<Query> queries, RocksDb copy) {
    try (copy) {
      check(queries, family(copy), rows);
    }
  }

  private static void check(List<Query> queries, KeyReader reader, NavigableMap<byte[], byte[]> rows) {
    for (Query query : queries) {
      try {
        query.check().run(reader, rows);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(query + ": " + e.getMessage() + "; rows: "
            + rows.keySet().stream().map(Keys::hex).toList(), e);
      }
    }
  }

  void reopen(Settings with) {
    keys();
    close();
    settings = with;
    db = open();
  }

  @Override
  public void close() {
    endTransaction(Transaction::rollback);
    endBatch(false);
    allTaken.forEach(taken -> taken.snapshot.close());
    allTaken.clear();
    db.close();
  }
}
