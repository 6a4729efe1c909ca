/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;

/**
 * Reproducible steps, each determined by a seed and its number. Each step writes its number in the same batch, so a
 * state says which step was the last one. Two-phase transactions write rows that show whether they were committed.
 */
final class Workload {
  static final String STEP = "step";
  private static final String SECOND = "second";
  private static final String COMMITTED = "committed";
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults()
          .mergeOperator(MergeOperator.stringAppend(','))
          .enableBlobFiles(true)
          .minBlobSize(ByteSize.bytes(500));

  private final long seed;
  private final boolean hasTransactions;

  Workload(long seed) {
    this.seed = seed;
    this.hasTransactions = seed % 2 == 0;
  }

  /** A change of one step; {@code until} is the exclusive end of a deleted range. */
  private record Change(Kind kind, String family, String key, String value) {}

  private enum Kind {
    PUT,
    DELETE,
    MERGE,
    DELETE_RANGE
  }

  RocksDb open(Path folder) {
    List<String> families = Files.exists(folder.resolve("CURRENT")) ? RocksDb.families(folder) : List.of(SECOND);
    var opening = RocksDb.at(folder).defaults(OPTIONS);
    for (String family : families) {
      opening = family.equals("default") ? opening : opening.family(family, OPTIONS);
    }
    return hasTransactions ? opening.openTransactional() : opening.open();
  }

  private Random random(long step) {
    return new Random(seed * 1_000_003 + step * 7919);
  }

  private List<Change> changes(long step) {
    Random random = random(step);
    List<Change> changes = new ArrayList<>();
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      String family = random.nextBoolean() ? "default" : SECOND;
      String key = "k" + (100 + random.nextInt(60));
      switch (random.nextInt(8)) {
        case 0 -> changes.add(new Change(Kind.DELETE, family, key, null));
        case 1, 2 -> changes.add(new Change(Kind.MERGE, family, key, "m" + step));
        case 3 -> {
          if (!hasTransactions) {
            changes.add(new Change(Kind.DELETE_RANGE, family, key, "k" + (130 + random.nextInt(40))));
          }
        }
        default -> changes.add(new Change(Kind.PUT, family, key, "v" + step + "x".repeat(random.nextInt(9) * 100)));
      }
    }
    changes.add(new Change(Kind.PUT, "default", STEP, Long.toString(step)));
    return changes;
  }

  private boolean isIngestion(long step) {
    return step % 97 == 17;
  }

  private Map<String, String> ingested(long step) {
    Map<String, String> rows = new TreeMap<>();
    rows.put("i" + step % 5, "ingested" + step);
    rows.put("k1" + (10 + step % 60), "ingested" + step);
    rows.put(STEP, Long.toString(step));
    return rows;
  }

  private static String extra(long step) {
    return "extra" + step / 200;
  }

  /** Runs a step. */
  void run(RocksDb db, long step, Path scratch) throws IOException {
    if (step % 200 == 3) {
      db.familyOrCreate(extra(step), OPTIONS);
    }
    if (step % 200 == 150) {
      db.families().stream().filter(family -> family.name().equals(extra(step))).forEach(db::dropFamily);
    }
    if (isIngestion(step)) {
      Path file = scratch.resolve("ingested-" + step + "-" + System.nanoTime() + ".sst");
      try (TableWriter table = TableWriter.create(file, OPTIONS)) {
        ingested(step).forEach((key, value) -> table.put(key.getBytes(UTF_8), value.getBytes(UTF_8)));
        table.finish();
      }
      db.files().ingest(file);
      return;
    }
    boolean skipsLog = !hasTransactions && step % 131 == 29;
    WriteBatch batch = new WriteBatch();
    for (Change change : changes(step)) {
      add(batch, db, change);
    }
    if (step % 200 > 3 && step % 200 < 150) {
      add(batch, db, new Change(Kind.PUT, extra(step), "e" + step % 4, "v" + step));
    }
    if (skipsLog) {
      db.with(WriteOptions.defaults().disableWal(true)).write(batch);
    } else {
      db.write(batch);
    }
    if (skipsLog || step % 41 == 7) {
      db.flushAll();
    }
    if (step % 97 == 11) {
      db.compact(KeyRange.all());
    }
    if (db instanceof TransactionDb transactional && step % 9 == 4) {
      commit(transactional, step);
    }
  }

  private static void commit(TransactionDb db, long step) {
    Transaction transaction = db.begin();
    transaction.put("t".getBytes(UTF_8), Long.toString(step).getBytes(UTF_8));
    transaction.in(db.family(SECOND)).put(("x" + step % 5).getBytes(UTF_8), Long.toString(step).getBytes(UTF_8));
    transaction.in(db.family(SECOND)).merge(COMMITTED.getBytes(UTF_8), Long.toString(step).getBytes(UTF_8));
    transaction.prepare("t" + step + "-" + System.nanoTime());
    db.put("between".getBytes(UTF_8), Long.toString(step).getBytes(UTF_8));
    if (step % 4 == 0) {
      transaction.rollback();
    } else {
      transaction.commit();
    }
    transaction.close();
  }

  private static void add(WriteBatch batch, RocksDb db, Change change) {
    byte[] key = change.key.getBytes(UTF_8);
    byte[] value = change.value == null ? null : change.value.getBytes(UTF_8);
    var writer = batch.in(db.family(change.family));
    switch (change.kind) {
      case PUT -> writer.put(key, value);
      case DELETE -> writer.delete(key);
      case MERGE -> writer.merge(key, value);
      case DELETE_RANGE -> {
        if (change.key.compareTo(change.value) < 0) {
          writer.deleteRange(key, value);
        }
      }
    }
  }

  /** Returns the step that a state ends with. */
  static long lastStep(RocksDb db) {
    byte[] step = db.get(STEP.getBytes(UTF_8));
    return step == null ? 0 : Long.parseLong(new String(step, UTF_8));
  }

  /** Returns the rows after a step, by family; without transactions. */
  private Map<String, TreeMap<String, String>> model(long last) {
    Map<String, TreeMap<String, String>> model = new TreeMap<>();
    model.put("default", new TreeMap<>());
    model.put(SECOND, new TreeMap<>());
    for (long step = 1; step <= last; step++) {
      if (step % 200 == 150) {
        model.remove(extra(step));
      }
      if (isIngestion(step)) {
        model.get("default").putAll(ingested(step));
        continue;
      }
      changes(step).forEach(change -> apply(model, change));
      if (step % 200 > 3 && step % 200 < 150) {
        model.computeIfAbsent(extra(step), _ -> new TreeMap<>()).put("e" + step % 4, "v" + step);
      }
    }
    return model;
  }

  private static void apply(Map<String, TreeMap<String, String>> model, Change change) {
    TreeMap<String, String> rows = model.get(change.family);
    switch (change.kind) {
      case PUT -> rows.put(change.key, change.value);
      case DELETE -> rows.remove(change.key);
      case MERGE -> rows.merge(change.key, change.value, (old, added) -> old + "," + added);
      case DELETE_RANGE -> {
        if (change.key.compareTo(change.value) < 0) {
          rows.subMap(change.key, change.value).clear();
        }
      }
    }
  }

  /** Compares a state with the model; throws if they differ. Returns the last step. */
  long check(RocksDb db, String what) {
    long last = lastStep(db);
    Map<String, TreeMap<String, String>> model = model(last);
    Map<String, TreeMap<String, String>> next = model(last + 1);
    Map<String, TreeMap<String, String>> found = new TreeMap<>();
    for (ColumnFamily family : db.families()) {
      found.put(family.name(), rows(family));
    }
    checkTransactions(found, what);
    for (String family : model.keySet()) {
      boolean isDroppedNext = !next.containsKey(family);
      if (!found.containsKey(family) && isDroppedNext) {
        continue;
      }
      if (!model.get(family).equals(found.get(family))) {
        throw new AssertionError(
            what + ": after step " + last + ", " + family + " has " + found.get(family) + " instead of " + model.get(family));
      }
    }
    found.keySet().removeAll(model.keySet());
    found.forEach((family, rows) -> {
      if (!rows.isEmpty()) {
        throw new AssertionError(what + ": after step " + last + ", " + family + " has " + rows);
      }
    });
    return last;
  }

  /**
   * Checks that the state contains each transaction in all families or in none, and removes the transactions' rows from
   * {@code found}.
   */
  private static void checkTransactions(Map<String, TreeMap<String, String>> found, String what) {
    found.get("default").remove("between");
    String newest = found.get("default").remove("t");
    String all = found.get(SECOND).remove(COMMITTED);
    Map<String, String> expected = new TreeMap<>();
    long before = 0;
    for (String each : all == null ? new String[0] : all.split(",")) {
      long step = Long.parseLong(each);
      if (step <= before) {
        throw new AssertionError(what + ": committed " + all);
      }
      before = step;
      expected.put("x" + step % 5, each);
    }
    Map<String, String> actual = new TreeMap<>();
    for (int i = 0; i < 5; i++) {
      String value = found.get(SECOND).remove("x" + i);
      if (value != null) {
        actual.put("x" + i, value);
      }
    }
    if (!expected.equals(actual) || before != (newest == null ? 0 : Long.parseLong(newest))) {
      throw new AssertionError(what + ": committed " + all + ", newest " + newest + ", rows " + actual);
    }
  }

  private static TreeMap<String, String> rows(ColumnFamily family) {
    TreeMap<String, String> rows = new TreeMap<>();
    try (Scan scan = family.scan(KeyRange.all())) {
      for (Row row : scan) {
        rows.put(
            new String(row.key().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), UTF_8),
            new String(row.value().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), UTF_8));
      }
    }
    return rows;
  }
}
