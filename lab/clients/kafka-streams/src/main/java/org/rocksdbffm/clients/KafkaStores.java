/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/** The key-value and window stores of a topology, with custom options. */
final class KafkaStores {
  private static final int RECORDS = 5000;
  private static final Serde<String> TEXT = Serdes.String();

  private KafkaStores() {}

  /** Sets small write buffers and a Bloom filter. */
  public static final class Tuned implements RocksDBConfigSetter {
    @Override
    public void setConfig(String store, Options options, Map<String, Object> configuration) {
      BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
      table.setBlockCache(new LRUCache(1 << 20));
      table.setFilterPolicy(new BloomFilter());
      options.setTableFormatConfig(table).setMaxWriteBufferNumber(1).setWriteBufferSize(1 << 16);
    }

    @Override
    public void close(String store, Options options) {}
  }

  public static void main(String[] arguments) {
    try (TopologyTestDriver driver = start()) {
      var input = driver.createInputTopic("input", TEXT.serializer(), TEXT.serializer());
      for (int record = 0; record < RECORDS; record++) {
        input.pipeInput("key " + record % 1700, record % 11 == 0 ? null
            : "value " + record, Instant.ofEpochMilli(record * 100L));
      }
      read("filled", driver);
      for (int key = 0; key < 1700; key += 3) {
        input.pipeInput("key " + key, null, Instant.ofEpochMilli(RECORDS * 100L));
      }
      read("deleted", driver);
    }
  }

  private static TopologyTestDriver start() {
    Topology topology = new Topology();
    ProcessorSupplier<String, String, Void, Void> stores = Writer::new;
    topology.addSource("source", TEXT.deserializer(), TEXT.deserializer(), "input");
    topology.addProcessor("writer", stores, "source");
    topology.addStateStore(Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore("keys"), TEXT, TEXT), "writer");
    topology.addStateStore(
        Stores.windowStoreBuilder(
            Stores.persistentWindowStore("windows", Duration.ofHours(1), Duration.ofMinutes(1), false), TEXT, TEXT),
        "writer");
    Properties configuration = new Properties();
    configuration.put(StreamsConfig.APPLICATION_ID_CONFIG, "stores");
    configuration.put(StreamsConfig.STATE_DIR_CONFIG, new File("state").getAbsolutePath());
    configuration.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, Tuned.class);
    return new TopologyTestDriver(topology, configuration);
  }

  /** Writes each record to both stores. */
  private static final class Writer extends ContextualProcessor<String, String, Void, Void> {
    @Override
    public void process(Record<String, String> record) {
      KeyValueStore<String, String> keys = context().getStateStore("keys");
      WindowStore<String, String> windows = context().getStateStore("windows");
      keys.put(record.key(), record.value());
      windows.put(record.key(), record.value(), record.timestamp());
    }
  }

  private static void read(String step, TopologyTestDriver driver) {
    KeyValueStore<String, String> keys = driver.getKeyValueStore("keys");
    scan(step + " keys", keys.all());
    scan(step + " keys backwards", keys.reverseAll());
    scan(step + " range", keys.range("key 1", "key 2"));
    scan(step + " prefix", keys.prefixScan("key 16", TEXT.serializer()));
    WindowStore<String, String> windows = driver.getWindowStore("windows");
    scan(step + " windows", windows.all());
    scan(step + " window", windows.fetch("key 7", 0, 400_000));
    scan(step + " windows of keys",
        windows.fetch("key 1", "key 3", Instant.ofEpochMilli(0), Instant.ofEpochMilli(200_000)));
    Answers.say(step + " value", keys.get("key 9"), keys.get("none"));
  }

  private static <K> void scan(String step, KeyValueIterator<K, String> rows) {
    Answers answers = new Answers();
    try (rows) {
      while (rows.hasNext()) {
        KeyValue<K, String> row = rows.next();
        answers.row(row.key, row.value);
      }
    }
    answers.end(step);
  }
}
