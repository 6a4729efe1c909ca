/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.TableProperties;

/**
 * Iterators with combinations of read options return the entries of a sorted map after any moves: a fixed sample, or a
 * sample with the seed in the property. Tailing iterators return entries in deleted ranges, which {@link FaultsTest}
 * covers.
 */
class ScanWaysTest {
  private static final int PREFIX = 3;
  private static final int ROUNDS = 150;
  private static final int MOVES = 8;
  private static final int FEW = 5;
  private static final long SEED = Long.getLong("rocksdbffm.sweep", 1);

  @TempDir Path folder;

  private final Random random = new Random(SEED);
  private final TreeMap<String, String> now = new TreeMap<>(Comparator.naturalOrder());

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private enum Shape {
    SMALL_BLOCKS, PARTITIONED, FIRST_KEYS, WITHOUT_CACHE, DIRECT
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static Options options(Shape shape) {
    BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockSize(256).setFilterPolicy(new BloomFilter(10));
    switch (shape) {
      case PARTITIONED ->
          table.setIndexType(IndexType.kTwoLevelIndexSearch).setPartitionFilters(true).setMetadataBlockSize(256);
      case FIRST_KEYS -> table.setIndexType(IndexType.kBinarySearchWithFirstKey);
      case WITHOUT_CACHE -> table.setNoBlockCache(true);
      default -> { }
    }
    return Subjects.options()
        .useFixedLengthPrefixExtractor(PREFIX)
        .setTableFormatConfig(table)
        .setUseDirectReads(shape == Shape.DIRECT)
        .setMemtablePrefixBloomSizeRatio(0.1);
  }

  private String key() {
    return "k" + (char) ('a' + random.nextInt(6)) + (char) ('a' + random.nextInt(3))
        + "%03d".formatted(random.nextInt(120));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void anIteratorShowsTheRowsOfASortedMap(Shape shape) throws Exception {
    try (Options options = options(shape);
        RocksDB db = RocksDB.open(options, folder.toString());
        FlushOptions flushing = new FlushOptions()) {
      List<String> wrong = new ArrayList<>();
      for (int part = 0; part < 4; part++) {
        change(db, 500);
        Snapshot snapshot = db.getSnapshot();
        TreeMap<String, String> then = new TreeMap<>(now);
        change(db, 100);
        for (int round = 0; round < ROUNDS / 4; round++) {
          boolean isOld = random.nextBoolean();
          iterate(db, isOld ? snapshot : null, isOld ? then : now, wrong);
        }
        db.releaseSnapshot(snapshot);
        db.flush(flushing);
        if (part == 1) {
          db.compactRange();
        }
      }
      assertEquals(List.of(), wrong.subList(0, Math.min(FEW, wrong.size())), () ->
          wrong.size() + " wrong, seed " + SEED);
    }
  }

  private void change(RocksDB db, int count) throws RocksDBException {
    for (int i = 0; i < count; i++) {
      String key = key();
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          db.delete(bytes(key));
          now.remove(key);
        }
        case 3 -> {
          String end = key.substring(0, PREFIX) + "%03d".formatted(random.nextInt(125));
          if (key.compareTo(end) < 0) {
            db.deleteRange(bytes(key), bytes(end));
            now.subMap(key, end).clear();
          }
        }
        default -> {
          db.put(bytes(key), bytes("value" + i));
          now.put(key, "value" + i);
        }
      }
    }
  }

  /** Creates an iterator with random options, and checks its entries. */
  private void iterate(RocksDB db, Snapshot snapshot, TreeMap<String, String> model, List<String> wrong)
      throws Exception {
    StringBuilder name = new StringBuilder();
    boolean isInPrefix = random.nextBoolean();
    NavigableMap<String, String> rows = model;
    try (ReadOptions reading = new ReadOptions()) {
      reading.setTotalOrderSeek(!isInPrefix).setPrefixSameAsStart(isInPrefix);
      note(name, "in prefix", isInPrefix);
      if (snapshot != null) {
        reading.setSnapshot(snapshot);
      }
      odd(reading, name);
      if (random.nextInt(3) == 0) {
        String lower = key();
        reading.setIterateLowerBound(new Slice(lower));
        rows = new TreeMap<>(rows.tailMap(lower, true));
        name.append(" from ").append(lower);
      }
      if (random.nextInt(3) == 0) {
        String upper = key();
        reading.setIterateUpperBound(new Slice(upper));
        rows = new TreeMap<>(rows.headMap(upper, false));
        name.append(" to ").append(upper);
      }
      try (RocksIterator iterator = db.newIterator(reading)) {
        for (int move = 0; move < MOVES; move++) {
          move(iterator, new View(rows, isInPrefix, rows == model), name, wrong);
        }
      }
    }
  }

  private void odd(ReadOptions reading, StringBuilder name) {
    reading.setAsyncIo(note(name, "async", random.nextBoolean()));
    reading.setPinData(note(name, "pinned", random.nextInt(3) == 0));
    reading.setBackgroundPurgeOnIteratorCleanup(note(name, "purge", random.nextInt(3) == 0));
    reading.setFillCache(!note(name, "past the cache", random.nextInt(3) == 0));
    reading.setVerifyChecksums(!note(name, "unverified", random.nextInt(3) == 0));
    reading.setReadaheadSize(List.of(0L, 1L, 4096L, 1L << 21).get(random.nextInt(4)));
    reading.setMaxSkippableInternalKeys(List.of(0L, 0L, 1L, 50L).get(random.nextInt(4)));
    reading.setDeadline(random.nextBoolean() ? 0 : Long.MAX_VALUE / 4);
    if (note(name, "filter", random.nextInt(4) == 0)) {
      reading.setTableFilter(new AbstractTableFilter() {
        @Override
        public boolean filter(TableProperties table) {
          return true;
        }
      });
    }
  }

  private static boolean note(StringBuilder name, String word, boolean holds) {
    name.append(holds ? " " + word : "");
    return holds;
  }

  /** The entries that a seek can reach: all, or those with the prefix of its target or of its entry. */
  private record View(NavigableMap<String, String> rows, boolean isInPrefix, boolean isWhole) {
    /** Whether the first and last entries are defined: a seek without a target has no prefix. */
    boolean hasEdges() {
      return isWhole || !isInPrefix;
    }

    List<String> from(String target, boolean isForward) {
      String first = target == null ? edge(isForward) : target;
      if (first == null) {
        return List.of();
      }
      NavigableMap<String, String> part =
          isForward ? rows.tailMap(first, true) : rows.headMap(first, true).descendingMap();
      Stream<String> keys = part.entrySet().stream().map(row -> row.getKey() + "=" + row.getValue());
      return keys.filter(key -> !isInPrefix || key.startsWith(first.substring(0, PREFIX))).toList();
    }

    private String edge(boolean isFirst) {
      return rows.isEmpty() ? null : isFirst ? rows.firstKey() : rows.lastKey();
    }
  }

  /** Seeks, and steps to the end; some seeks are not followed by steps. */
  private void move(RocksIterator iterator, View view, StringBuilder name, List<String> wrong) {
    boolean isForward = random.nextBoolean();
    String target = random.nextInt(3) == 0 && view.hasEdges() ? null : key();
    int limit = random.nextInt(3) == 0 ? random.nextInt(3) : Integer.MAX_VALUE;
    List<String> found = new ArrayList<>();
    try {
      seek(iterator, target, isForward);
      while (iterator.isValid() && found.size() < limit) {
        found.add(new String(iterator.key(), UTF_8) + "=" + new String(iterator.value(), UTF_8));
        step(iterator, isForward);
      }
      iterator.status();
    } catch (RocksDBException e) {
      if (e.getStatus().getCode() != Status.Code.Incomplete) {
        wrong.add(name + ": " + e.getMessage());
      }
      limit = found.size();
    }
    List<String> expected = view.from(target, isForward);
    expected = expected.subList(0, Math.min(limit, expected.size()));
    if (!found.equals(expected)) {
      wrong.add(name + (isForward ? " forward" : " backward") + " from " + target + ": " + found.size() + " rows of "
          + expected.size());
    }
  }

  private static void seek(RocksIterator iterator, String target, boolean isForward) {
    if (target == null) {
      if (isForward) {
        iterator.seekToFirst();
      } else {
        iterator.seekToLast();
      }
    } else if (isForward) {
      iterator.seek(bytes(target));
    } else {
      iterator.seekForPrev(bytes(target));
    }
  }

  private static void step(RocksIterator iterator, boolean isForward) {
    if (isForward) {
      iterator.next();
    } else {
      iterator.prev();
    }
  }
}
