/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.samza.checkpoint.CheckpointId;
import org.apache.samza.config.MapConfig;
import org.apache.samza.metrics.MetricsRegistryMap;
import org.apache.samza.storage.StorageEngineFactory.StoreMode;
import org.apache.samza.storage.kv.Entry;
import org.apache.samza.storage.kv.KeyValueIterator;
import org.apache.samza.storage.kv.KeyValueSnapshot;
import org.apache.samza.storage.kv.KeyValueStoreMetrics;
import org.apache.samza.storage.kv.RocksDbKeyValueStore;
import org.apache.samza.storage.kv.RocksDbOptionsHelper;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.WriteOptions;

/** The local store of a stream job, with each compaction style of its configuration. */
final class Samza {
  private static final int ROWS = 5000;

  private Samza() {}

  public static void main(String[] arguments) {
    for (String style : List.of("universal", "level", "fifo")) {
      MapConfig configuration =
          new MapConfig(
              Map.of("rocksdb.compaction.style", style, "container.write.buffer.size.bytes", "131072",
                  "rocksdb.num.write.buffers", "1", "rocksdb.compression", "lz4"));
      File folder = new File(style);
      Optional<Path> checkpoint = fill(style, folder, configuration);
      read(style + " reopened", folder, configuration);
      checkpoint.ifPresent(copy -> read(style + " checkpoint", copy.toFile(), configuration));
    }
  }

  private static RocksDbKeyValueStore open(File folder, MapConfig configuration) {
    Options options = RocksDbOptionsHelper.options(configuration, 1, folder, StoreMode.ReadWrite);
    return new RocksDbKeyValueStore(folder, options, configuration, false, "store", new WriteOptions(),
        new FlushOptions(),
        new KeyValueStoreMetrics("store", new MetricsRegistryMap()));
  }

  private static Optional<Path> fill(String style, File folder, MapConfig configuration) {
    RocksDbKeyValueStore store = open(folder, configuration);
    List<Entry<byte[], byte[]>> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(new Entry<>(key(row), ("value " + row).repeat(20).getBytes()));
    }
    store.putAll(rows);
    KeyValueSnapshot<byte[], byte[]> snapshot = store.snapshot(key(10), key(200));
    for (int row = 0; row < ROWS; row += 3) {
      store.delete(key(row));
    }
    store.deleteAll(List.of(key(4), key(5)));
    scan(style + " snapshot", snapshot.iterator());
    snapshot.close();
    Answers.say(style + " all of",
        store.getAll(List.of(key(1), key(4), key(7))).values().stream().filter(v -> v != null).count());
    store.flush();
    scan(style + " all", store.all());
    scan(style + " range", store.range(key(100), key(300)));
    Optional<Path> checkpoint = store.checkpoint(CheckpointId.create());
    store.close();
    return checkpoint;
  }

  private static void read(String step, File folder, MapConfig configuration) {
    RocksDbKeyValueStore store = open(folder, configuration);
    scan(step, store.all());
    Answers.say(step + " row", new String(store.get(key(7))), store.get(key(4)) == null);
    store.close();
    try {
      store.get(key(7));
    } catch (RuntimeException e) {
      Answers.say(step + " closed", e.getMessage());
    }
  }

  private static void scan(String step, KeyValueIterator<byte[], byte[]> rows) {
    Answers answers = new Answers();
    while (rows.hasNext()) {
      Entry<byte[], byte[]> row = rows.next();
      answers.row(row.getKey(), row.getValue());
    }
    rows.close();
    answers.end(step);
  }

  private static byte[] key(int row) {
    return String.format("key-%08d", row).getBytes();
  }
}
