/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.apache.kafka.streams.state.WindowStore;
import org.rocksdb.AccessHint;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;

/** An application of Kafka Streams 3 whose stores use options of its rocksdbjni version. */
final class OlderKafkaStreams {
  private static final int RECORDS = 1000;

  private OlderKafkaStreams() {}

  /** Calls methods that rocksdbjni has removed, on the options object of Kafka Streams. */
  @SuppressWarnings("deprecation")
  public static final class Tuning implements RocksDBConfigSetter {
    private Logger logger;

    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
      logger = new Logger(options) {
        @Override
        protected void log(InfoLogLevel level, String message) {}
      };
      options.setLogger(logger);
      options.setAccessHintOnCompactionStart(AccessHint.SEQUENTIAL);
      options.setRandomAccessMaxBufferSize(1 << 16);
      options.setSkipCheckingSstFileSizesOnDbOpen(true);
      options.setMaxWriteBufferNumberToMaintain(2);
      options.setFailIfOptionsFileError(true);
      options.setWriteBufferSize(1 << 16);
      BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
      options.setTableFormatConfig(table.setBlockCacheCompressedSize(1 << 16));
      Answers.say(
          "options",
          options.accessHintOnCompactionStart(),
          options.randomAccessMaxBufferSize(),
          options.skipCheckingSstFileSizesOnDbOpen(),
          options.maxWriteBufferNumberToMaintain(),
          options.failIfOptionsFileError(),
          table.blockCacheCompressedSize());
    }

    @Override
    public void close(String store, Options options) {
      logger.close();
    }
  }

  public static void main(String[] arguments) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "older");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, "state");
    properties.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, Tuning.class.getName());
    try (TopologyTestDriver driver = new TopologyTestDriver(topology(), properties, Instant.EPOCH)) {
      TestInputTopic<String, String> topic =
          driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
      for (int number = 0; number < RECORDS; number++) {
        topic.pipeInput("key" + number % 777, "value" + number, Instant.ofEpochSecond(number));
      }
      read(driver.getKeyValueStore("counts"));
      read(driver.getWindowStore("windows"));
    }
  }

  private static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    KGroupedStream<String, String> groups =
        builder.stream("in", Consumed.with(Serdes.String(), Serdes.String())).groupByKey();
    groups.count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("counts").withCachingDisabled());
    groups
        .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofMinutes(10)))
        .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("windows").withCachingDisabled());
    return builder.build();
  }

  private static void read(KeyValueStore<String, Long> store) {
    store.flush();
    Answers.say("counts", store.get("key7"), store.get("key776"), store.get("none"));
    Answers rows = new Answers();
    try (KeyValueIterator<String, Long> iterator = store.all()) {
      while (iterator.hasNext()) {
        KeyValue<String, Long> next = iterator.next();
        rows.row((Object) next.key, next.value);
      }
    }
    rows.end("all");
    Answers range = new Answers();
    try (KeyValueIterator<String, Long> iterator = store.reverseRange("key2", "key5")) {
      iterator.forEachRemaining(next -> range.row((Object) next.key, next.value));
    }
    range.end("backwards");
  }

  private static void read(WindowStore<String, Long> store) {
    Answers rows = new Answers();
    try (KeyValueIterator<Windowed<String>, Long> iterator =
        store.fetch("key1", "key4", Instant.EPOCH, Instant.ofEpochSecond(RECORDS))) {
      iterator.forEachRemaining(next -> rows.row((Object) next.key, next.value));
    }
    rows.end("windows");
  }
}
