/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.CompactionFilter.Decision;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Operation;

/** Databases with comparators, merge functions and compaction filters in Java, some of which throw, or with expiry. */
public final class CallbackOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("ownOrder", 3, CallbackOperations::ownOrder),
          new Operation("brokenOrder", 2, CallbackOperations::brokenOrder),
          new Operation("noOrder", 2, CallbackOperations::noOrder),
          new Operation("expire", 3, CallbackOperations::expire));

  private static final int KEYS = 200;

  private CallbackOperations() {}

  /** Compares the last bytes first. */
  private static int fromTheEnd(ByteView a, ByteView b) {
    int order = Byte.compareUnsigned(a.get(a.size() - 1), b.get(b.size() - 1));
    return order != 0 ? order : a.compareTo(b);
  }

  private static int fromTheEnd(byte[] a, byte[] b) {
    int order = Byte.compareUnsigned(a[a.length - 1], b[b.length - 1]);
    return order != 0 ? order : Arrays.compareUnsigned(a, b);
  }

  private static byte[] joined(ByteView value, List<ByteView> operands) {
    int size = (value == null ? 0 : (int) value.size()) + operands.stream().mapToInt(view -> (int) view.size()).sum();
    byte[] joined = new byte[size];
    int at = 0;
    if (value != null) {
      byte[] before = value.toArray();
      System.arraycopy(before, 0, joined, 0, before.length);
      at = before.length;
    }
    for (ByteView operand : operands) {
      operand.copyTo(0, joined, at, (int) operand.size());
      at += (int) operand.size();
    }
    return joined;
  }

  private static final MergeFunction JOIN =
      new MergeFunction() {
        @Override
        public byte[] merge(ByteView key, ByteView value, List<ByteView> operands) {
          return joined(value, operands);
        }

        @Override
        public byte[] combine(ByteView key, List<ByteView> operands) {
          return joined(null, operands);
        }
      };

  private static Decision keep(ByteView key, ByteView value, Attempt attempt) {
    attempt.check(key.getInt(0) == (int) (key.getLong(0) >>> 32), "the halves of a number");
    return value.size() == 0 ? Decision.REMOVE : value.size() == 1 ? Decision.change(new byte[2]) : Decision.KEEP;
  }

  private static FamilyOptions options(Attempt attempt) {
    return FamilyOptions.defaults()
        .keyOrder("from the end", CallbackOperations::fromTheEnd)
        .mergeOperator("join", JOIN)
        .compactionFilter(
            "by size",
            compaction -> {
              CompactionFilter filter = (level, key, value) -> keep(key, value, attempt);
              return compaction.manual() || compaction.full() ? filter : null;
            });
  }

  private static byte[] key(Attempt attempt) {
    byte[] key = new byte[9 + attempt.random.nextInt(4)];
    key[0] = (byte) attempt.random.nextInt(KEYS);
    key[key.length - 1] = (byte) attempt.random.nextInt(KEYS);
    return key;
  }

  private static void ownOrder(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    TreeMap<byte[], byte[]> model = new TreeMap<>(CallbackOperations::fromTheEnd);
    try (RocksDb db = RocksDb.at(folder).defaults(options(attempt)).open()) {
      for (int i = attempt.random.nextInt(KEYS); i >= 0; i--) {
        byte[] key = key(attempt);
        byte[] value = new byte[2 + attempt.random.nextInt(30)];
        attempt.random.nextBytes(value);
        if (attempt.oneIn(3)) {
          db.merge(key, value);
          byte[] before = model.getOrDefault(key, new byte[0]);
          byte[] joined = Arrays.copyOf(before, before.length + value.length);
          System.arraycopy(value, 0, joined, before.length, value.length);
          model.put(key, joined);
        } else {
          db.put(key, value);
          model.put(key, value);
        }
        if (attempt.oneIn(50)) {
          deleteRange(attempt, model, db);
        }
        if (attempt.oneIn(50)) {
          db.flush();
        }
      }
      if (attempt.oneIn(2)) {
        db.compact(KeyRange.all());
      }
      if (attempt.oneIn(2)) {
        backUp(attempt, model, db);
      }
    }
    checkRows(attempt, model, folder);
    RocksDb.destroy(folder);
  }

  private static void deleteRange(Attempt attempt, NavigableMap<byte[], byte[]> model, RocksDb db) {
    byte[] from = key(attempt);
    byte[] until = key(attempt);
    if (fromTheEnd(from, until) <= 0) {
      db.deleteRange(from, until);
      model.subMap(from, until).clear();
    }
  }

  /** Creates and restores a backup, which reads all tables; there the engine knows only the comparator's name. */
  private static void backUp(Attempt attempt, NavigableMap<byte[], byte[]> model, RocksDb db) {
    Path restored = attempt.world.newFolder();
    try (Backups backups = Backups.open(attempt.world.newFolder(), Backups.Options.defaults().sync(false))) {
      backups.create(db);
      backups.restore(backups.create(db).id(), restored);
    }
    checkRows(attempt, model, restored);
    RocksDb.destroy(restored);
  }

  private static void checkRows(Attempt attempt, NavigableMap<byte[], byte[]> model, Path folder) {
    try (RocksDb db = RocksDb.at(folder).defaults(options(attempt)).open();
        Scan scan = db.scan(KeyRange.all())) {
      for (var row : model.entrySet()) {
        attempt.check(scan.next(), "a row is missing");
        attempt.check(row.getKey(), scan.keyBytes(), "key in an order of Java's");
        attempt.check(row.getValue(), scan.valueBytes(), "value merged in Java");
      }
      attempt.check(!scan.next(), "a row too many");
      checkRange(attempt, model, db);
    }
  }

  /** Reads a range with an inclusive end; the Java comparator compares keys with this end. */
  private static void checkRange(Attempt attempt, NavigableMap<byte[], byte[]> model, RocksDb db) {
    byte[] from = key(attempt);
    byte[] through = key(attempt);
    boolean excluding = attempt.oneIn(2);
    KeyRange range = excluding ? KeyRange.closed(from, through).excludingStart() : KeyRange.closed(from, through);
    List<byte[]> expected =
        fromTheEnd(from, through) > 0 ? List.of() : List.copyOf(model.subMap(from, !excluding, through, true).keySet());
    boolean backward = attempt.oneIn(2);
    try (Scan rows = backward ? db.scanBackward(range) : db.scan(range)) {
      for (byte[] key : backward ? expected.reversed() : expected) {
        attempt.check(rows.next(), "a row is missing of a range");
        attempt.check(key, rows.keyBytes(), "key in a range");
      }
      attempt.check(!rows.next(), "a row behind a range");
    }
  }

  private static void expire(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] prefix = {(byte) attempt.random.nextInt(KEYS)};
    long now = System.currentTimeMillis();
    Expiry hour = Expiry.after(Duration.ofHours(1)).offset(1).keyPrefix(prefix);
    TreeMap<byte[], byte[]> kept = new TreeMap<>(Arrays::compareUnsigned);
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().expiry(hour)).open()) {
      for (int i = 0; i < KEYS; i++) {
        byte[] key = key(attempt);
        long age = attempt.random.nextInt(7200) * 1000L;
        byte[] value = ByteBuffer.allocate(9 + attempt.random.nextInt(300)).putLong(1, now - age).array();
        db.put(key, value);
        kept.remove(key);
        if (age < 3_500_000 || key[0] != prefix[0]) {
          kept.put(key, value);
        } else if (age < 3_700_000) {
          db.delete(key);
        } else {
          attempt.check(hour.isExpired(key, value), "a row that is not expired");
        }
      }
      db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
      List<byte[]> found = db.stream(KeyRange.all(), Row::keyBytes).toList();
      attempt.check(found.size() == kept.size(), found.size() + " rows after an expiry, and not " + kept.size());
      found.forEach(key -> attempt.check(kept.get(key), db.get(key), "a row that is too young to expire"));
    }
    RocksDb.destroy(folder);
  }

  /**
   * Uses a comparator that throws once, or from some call on; all previously acknowledged writes must be found
   * afterwards.
   */
  private static void brokenOrder(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    AtomicInteger left = new AtomicInteger(attempt.random.nextInt(3000));
    boolean once = attempt.oneIn(2);
    FamilyOptions broken =
        options(attempt)
            .keyOrder(
                "from the end",
                (a, b) -> {
                  int now = left.decrementAndGet();
                  if (once ? now == 0 : now <= 0) {
                    throw new IllegalArgumentException("the order ends");
                  }
                  return fromTheEnd(a, b);
                });
    TreeMap<byte[], byte[]> model = new TreeMap<>(CallbackOperations::fromTheEnd);
    try (RocksDb db = RocksDb.at(folder).defaults(broken).open()) {
      for (int i = 0; i < KEYS; i++) {
        byte[] key = key(attempt);
        db.put(key, key);
        model.put(key, key);
        if (attempt.oneIn(30)) {
          db.flush();
        }
      }
    } catch (IllegalStateException stopped) {
      attempt.check(stopped.getMessage().contains("'from the end' threw"), "the reason of a stop: " + stopped);
    }
    try (RocksDb db = RocksDb.at(folder).defaults(options(attempt)).open()) {
      model.forEach((key, value) -> attempt.check(value, db.get(key), "after a stop"));
    }
    RocksDb.destroy(folder);
  }

  private static int around(ByteView a, ByteView b, int circle) {
    int distance = Math.floorMod((a.get(0) & 0xff) - (b.get(0) & 0xff), circle);
    return distance == 0 ? a.compareTo(b) : distance <= circle / 2 ? 1 : -1;
  }

  /** Writes with a comparator that is circular, or that changes the order after some calls. Rows are not checked. */
  private static void noOrder(Attempt attempt) {
    int circle = 3 + 2 * attempt.random.nextInt(100);
    int point = attempt.random.nextInt(20_000);
    AtomicInteger calls = new AtomicInteger();
    boolean circles = attempt.oneIn(2);
    FamilyOptions none =
        FamilyOptions.defaults()
            .option("level0_file_num_compaction_trigger", 2)
            .keyOrder(
                "none",
                (a, b) ->
                    circles
                        ? around(a, b, circle)
                        : calls.getAndIncrement() < point ? a.compareTo(b) : b.compareTo(a));
    Path folder = attempt.world.newFolder();
    for (int opened = 0; opened < 2; opened++) {
      try (RocksDb db = RocksDb.at(folder).defaults(none).open()) {
        for (int i = 0; i < KEYS; i++) {
          db.put(key(attempt), new byte[20]);
          db.get(key(attempt));
          if (attempt.oneIn(20)) {
            db.flush();
          }
        }
        db.compact(KeyRange.all());
      } catch (IllegalStateException failure) {
        attempt.check(failure.getMessage().contains("'none'"), "the reason of a stop: " + failure);
      } catch (RocksDbException failure) {
        attempt.check(failure.code() == RocksDbException.Code.CORRUPTION
            || failure.code() == RocksDbException.Code.ABORTED, "" + failure);
      }
    }
    RocksDb.destroy(folder);
  }
}
