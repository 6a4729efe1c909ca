/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Scans entries between runs of deleted entries, in each way that an iterator supports, and then compares the database
 * with a sorted map: a scan must neither miss nor change entries.
 */
final class Scans {
  /** The text between the description of a case and the differences that were found. */
  static final String WRONG = ", wrong: ";

  private static final int ROWS = 60;
  /** As long as the longest prefix of a case: with shorter keys, hashed memtables mix up keys. */
  private static final String PREFIX = "scanning";

  private final RocksDB db;
  private final TreeMap<String, String> model = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();

  private Scans(RocksDB db) {
    this.db = db;
  }

  /** Returns the differences from the map, or an empty string. Deletes all entries again. */
  static String over(RocksDB db) throws RocksDBException {
    Scans scans = new Scans(db);
    scans.fill();
    scans.scan();
    for (String key : new TreeSet<>(scans.model.keySet())) {
      db.delete(key.getBytes(UTF_8));
    }
    return scans.wrong.isEmpty() ? "" : WRONG + String.join("; ", scans.wrong);
  }

  /** Writes entries to files, between keys that are deleted in the memtable. */
  private void fill() throws RocksDBException {
    for (int row = 0; row < ROWS; row++) {
      put(key(row), "old");
      put(key(row) + "live", "live");
    }
    try (FlushOptions flushing = new FlushOptions()) {
      db.flush(flushing);
    }
    for (int row = 10; row < ROWS - 10; row++) {
      db.delete(key(row).getBytes(UTF_8));
      model.remove(key(row));
    }
    put(key(ROWS - 5), "new");
  }

  private void put(String key, String value) throws RocksDBException {
    db.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
    model.put(key, value);
  }

  private static String key(int row) {
    return PREFIX + "%03d".formatted(row);
  }

  private interface Setting {
    ReadOptions on(ReadOptions options);
  }

  private void scan() {
    scan("memtables", its -> its.setReadTier(ReadTier.MEMTABLE_TIER), false);
    scan("plain", its -> its, true);
    scan("cache", its -> its.setReadTier(ReadTier.BLOCK_CACHE_TIER), false);
    scan("tailing", its -> its.setTailing(true), true);
    scan("asynchronous", its -> its.setAsyncIo(true), true);
    scan("pinned", its -> its.setPinData(true), true);
    scan("few skipped", its -> its.setMaxSkippableInternalKeys(3), false);
    scan("background purge", its -> its.setBackgroundPurgeOnIteratorCleanup(true), true);
  }

  /**
   * Scans in both directions, and compares the entries if the iterator should return all; then reads each entry by key.
   */
  private void scan(String name, Setting setting, boolean isWhole) {
    try (ReadOptions reading = setting.on(new ReadOptions().setTotalOrderSeek(true));
        RocksIterator iterator = db.newIterator(reading)) {
      TreeMap<String, String> rows = new TreeMap<>();
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        add(iterator, rows);
      }
      iterator.status();
      compare(name + " forward", rows, isWhole);
      rows.clear();
      for (iterator.seekToLast(); iterator.isValid(); iterator.prev()) {
        add(iterator, rows);
      }
      iterator.status();
      compare(name + " backward", rows, isWhole);
    } catch (RocksDBException | IllegalArgumentException e) {
      // the table format, memtable or iterator does not support the scan; the entries are read anyway
    }
    compareGets(name);
  }

  /** Adds an entry, unless its key is not in the map. */
  private static void add(RocksIterator iterator, TreeMap<String, String> rows) {
    String key = new String(iterator.key(), UTF_8);
    if (key.startsWith(PREFIX)) {
      rows.put(key, new String(iterator.value(), UTF_8));
    }
  }

  private void compare(String name, TreeMap<String, String> rows, boolean isWhole) {
    if (isWhole && !rows.equals(model)) {
      wrong.add(name + " shows " + rows.size() + " rows of " + model.size());
    }
  }

  private void compareGets(String name) {
    int lost = 0;
    for (int row = 0; row < ROWS; row++) {
      for (String key : List.of(key(row), key(row) + "live")) {
        try {
          byte[] value = db.get(key.getBytes(UTF_8));
          String expected = model.get(key);
          lost += (value == null ? expected == null : new String(value, UTF_8).equals(expected)) ? 0 : 1;
        } catch (RocksDBException e) {
          return; // an error is not a wrong result
        }
      }
    }
    if (lost > 0) {
      wrong.add("behind a scan " + name + ", gets of " + lost + " rows");
    }
  }
}
