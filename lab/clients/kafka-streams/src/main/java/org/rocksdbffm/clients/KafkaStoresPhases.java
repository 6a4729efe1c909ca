/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.time.Duration;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** Phases of the key-value and window stores of a topology. */
final class KafkaStoresPhases {
  private static final int STEPS = 40_000;
  private static final int KEYS = 10_000;
  private static final int SCANS = 20;
  private static final String VALUE = "v".repeat(200);
  private static final Serde<String> TEXT = Serdes.String();

  private KafkaStoresPhases() {}

  public static void main(String[] arguments) throws Exception {
    try (Phases phases = new Phases(arguments);
        TopologyTestDriver driver = start(phases.path("state"))) {
      KeyValueStore<String, String> keys = driver.getKeyValueStore("keys");
      WindowStore<String, String> windows = driver.getWindowStore("windows");
      Random random = new Random(1);
      phases.run("kafka store: put", STEPS, step -> keys.put(key(step), VALUE));
      phases.run("kafka store: get", STEPS, step -> keys.get(key(random.nextInt(KEYS))));
      phases.run("kafka store: range", STEPS, step -> read(keys.range(key(step), key(step + 5))));
      phases.run("kafka store: all", SCANS, step -> read(keys.all()));
      phases.run("kafka windows: put", STEPS, step -> windows.put(key(step), VALUE, step));
      phases.run("kafka windows: fetch", STEPS, step -> read(windows.fetch(key(step), 0, STEPS)));
    }
  }

  private static TopologyTestDriver start(String folder) {
    Topology topology = new Topology();
    topology.addSource("source", TEXT.deserializer(), TEXT.deserializer(), "input");
    topology.addProcessor("processor", Nothing::new, "source");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore("keys"), TEXT, TEXT)
            .withLoggingDisabled(), "processor");
    topology.addStateStore(
        Stores.windowStoreBuilder(
                Stores.persistentWindowStore("windows", Duration.ofHours(1), Duration.ofMinutes(1), false), TEXT, TEXT)
            .withLoggingDisabled(),
        "processor");
    Properties configuration = new Properties();
    configuration.put(StreamsConfig.APPLICATION_ID_CONFIG, "stores");
    configuration.put(StreamsConfig.STATE_DIR_CONFIG, folder);
    return new TopologyTestDriver(topology, configuration);
  }

  private static final class Nothing extends ContextualProcessor<String, String, Void, Void> {
    @Override
    public void process(Record<String, String> record) {}
  }

  private static void read(AutoCloseable rows) throws Exception {
    try (rows) {
      if (rows instanceof KeyValueIterator<?, ?> all) {
        all.forEachRemaining(row -> {});
      }
    }
  }

  private static String key(int step) {
    return "key " + (100_000 + step % KEYS);
  }
}
