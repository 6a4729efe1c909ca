/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.state.StoreBuilder;

/** A topology of one store, run by Kafka's test driver. */
final class OneStore implements AutoCloseable {
  static final String NAME = "store";

  /** The write to the store for each record. */
  interface Write<S extends StateStore> {
    void write(S store, Record<String, String> record);
  }

  final TopologyTestDriver driver;
  final TestInputTopic<String, String> input;
  private StreamsMetricsImpl metrics;

  <S extends StateStore> OneStore(Path folder, StoreBuilder<S> builder, Write<S> write, Map<String, ?> more) {
    Topology topology = new Topology();
    topology.addSource("records", "input");
    topology.addProcessor("writer", () -> new Writer<>(write), "records");
    topology.addStateStore(builder, "writer");
    driver = new TopologyTestDriver(topology, settings(folder, more));
    input = driver.createInputTopic("input", new StringSerializer(), new StringSerializer());
  }

  static Properties settings(Path folder, Map<String, ?> more) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "one-store");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.putAll(more);
    return settings;
  }

  /** Reads the engine's statistics into Kafka's metrics, which Kafka does once a minute. */
  void recordStatistics() {
    metrics.rocksDBMetricsRecordingTrigger().run();
  }

  @Override
  public void close() {
    driver.close();
  }

  private final class Writer<S extends StateStore> implements Processor<String, String, Void, Void> {
    private final Write<S> write;
    private S store;

    Writer(Write<S> write) {
      this.write = write;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      store = context.getStateStore(NAME);
      metrics = (StreamsMetricsImpl) context.metrics();
    }

    @Override
    public void process(Record<String, String> record) {
      write.write(store, record);
    }
  }
}
