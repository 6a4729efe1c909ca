/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.bookkeeper.bookie.EntryLocation;
import org.apache.bookkeeper.bookie.storage.ldb.EntryLocationIndex;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorage;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageFactory.DbConfigType;
import org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageRocksDB;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.stats.NullStatsLogger;

/** The index storage of a bookie in each configuration, and the index of entry locations. */
final class BookKeeper {
  private static final int ENTRIES = 20_000;

  private BookKeeper() {}

  public static void main(String[] arguments) throws IOException {
    ServerConfiguration configuration = new ServerConfiguration();
    for (DbConfigType type : DbConfigType.values()) {
      try (KeyValueStorage storage = open(type, configuration)) {
        fill(type.name(), storage);
      }
      try (KeyValueStorage storage = open(type, configuration)) {
        scan(type + " reopened", storage);
      }
    }
    locations(configuration);
  }

  private static KeyValueStorage open(DbConfigType type, ServerConfiguration configuration) throws IOException {
    return new KeyValueStorageRocksDB(".", type.name(), type, configuration);
  }

  private static void fill(String step, KeyValueStorage storage) throws IOException {
    try (KeyValueStorage.Batch batch = storage.newBatch()) {
      for (int entry = 0; entry < ENTRIES; entry++) {
        batch.put(key(entry), ("value " + entry * 31L).getBytes());
      }
      batch.flush();
      batch.clear();
      batch.deleteRange(key(500), key(900));
      batch.remove(key(1000));
      batch.flush();
    }
    storage.put(key(ENTRIES + 7), new byte[1000]);
    storage.delete(key(1));
    storage.sync();
    scan(step + " filled", storage);
    neighbours(step, storage);
    storage.compact(key(0), key(ENTRIES / 2));
    storage.compact();
    scan(step + " compacted", storage);
  }

  private static void neighbours(String step, KeyValueStorage storage) throws IOException {
    Answers found = new Answers();
    for (int entry : new int[] {0, 1, 2, 500, 899, 900, ENTRIES, ENTRIES + 7, ENTRIES + 8, Integer.MAX_VALUE}) {
      found.row(entry, shown(storage.getFloor(key(entry))), shown(storage.getCeil(key(entry))));
      byte[] room = new byte[1024];
      byte[] value = storage.get(key(entry));
      found.row(value == null ? "none" : value.length, storage.get(key(entry), room), room[0]);
    }
    try {
      storage.get(key(ENTRIES + 7), new byte[10]);
    } catch (IOException e) {
      found.row(e.getMessage());
    }
    found.end(step + " neighbours");
  }

  private static void scan(String step, KeyValueStorage storage) throws IOException {
    Answers all = new Answers();
    try (KeyValueStorage.CloseableIterator<Map.Entry<byte[], byte[]>> rows = storage.iterator()) {
      while (rows.hasNext()) {
        Map.Entry<byte[], byte[]> row = rows.next();
        all.row(row.getKey(), row.getValue());
      }
    }
    try (KeyValueStorage.CloseableIterator<byte[]> keys = storage.keys(key(400), key(2000))) {
      while (keys.hasNext()) {
        all.row(keys.next());
      }
    }
    all.end(step);
  }

  private static void locations(ServerConfiguration configuration) throws IOException {
    Files.createDirectory(Path.of("index"));
    try (EntryLocationIndex index = index(configuration)) {
      for (long ledger = 0; ledger < 20; ledger++) {
        for (long entry = 0; entry < 200 + ledger; entry++) {
          index.addLocation(ledger, entry, ledger << 32 | entry);
        }
      }
      index.updateLocations(List.of(new EntryLocation(3, 5, 77), new EntryLocation(3, 6, 78)));
      index.delete(4);
      index.removeOffsetFromDeletedLedgers();
      index.compact();
      last("locations", index);
    }
    try (EntryLocationIndex index = index(configuration)) {
      last("locations reopened", index);
    }
  }

  private static EntryLocationIndex index(ServerConfiguration configuration) throws IOException {
    return new EntryLocationIndex(configuration, KeyValueStorageRocksDB::new, "index", NullStatsLogger.INSTANCE);
  }

  private static void last(String step, EntryLocationIndex index) throws IOException {
    Answers found = new Answers();
    for (long ledger = 0; ledger < 21; ledger++) {
      try {
        found.row(ledger, index.getLastEntryInLedger(ledger));
      } catch (IOException e) {
        found.row(e.getClass().getSimpleName(), e.getMessage());
      }
      found.row(index.getLocation(ledger, 5), index.getLocation(ledger, 210));
    }
    found.end(step);
  }

  private static String shown(Map.Entry<byte[], byte[]> row) {
    return row == null ? "none" : ByteBuffer.wrap(row.getKey()).getLong() + "=" + new String(row.getValue());
  }

  private static byte[] key(long entry) {
    return ByteBuffer.allocate(8).putLong(entry).array();
  }
}
