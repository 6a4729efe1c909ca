/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.StreamJoined;
import org.apache.kafka.streams.state.KeyValueStore;
import org.rocksdbffm.jmh.process.Printed;

/**
 * Runs an application of Kafka Streams with Kafka's test driver, without a broker, and prints its measurements: orders
 * are counted by key, and joined with payments in a window. It uses the {@code org.rocksdb} of the class path.
 */
public final class StreamsProcess {
  private static final String ORDERS = "orders";
  private static final String PAYMENTS = "payments";
  private static final String COUNTS = "counts";
  private static final String PAID = "paid";
  private static final Duration WINDOW = Duration.ofSeconds(20);
  private static final int KEYS = 20_000;
  private static final int MILLIS_PER_STEP = 5;
  private static final int VALUE_SIZE = 100;
  private static final int STEPS_BETWEEN_READS = 256;
  private static final long SEED = 42;

  private final TestInputTopic<String, String> orders;
  private final TestInputTopic<String, String> payments;
  private final TestOutputTopic<String, Long> counts;
  private final TestOutputTopic<String, String> paid;
  private final Random random = new Random(SEED);
  private final String value = "v".repeat(VALUE_SIZE);
  private long time;

  private StreamsProcess(TopologyTestDriver driver) {
    StringSerializer to = new StringSerializer();
    StringDeserializer from = new StringDeserializer();
    orders = driver.createInputTopic(ORDERS, to, to);
    payments = driver.createInputTopic(PAYMENTS, to, to);
    counts = driver.createOutputTopic(COUNTS, from, new LongDeserializer());
    paid = driver.createOutputTopic(PAID, from, from);
  }

  /**
   * Runs the application.
   *
   * @param arguments the engine, the program, an empty folder, and the steps of warm-up and measurement
   */
  public static void main(String[] arguments) {
    long started = System.nanoTime();
    long warmUp = Long.parseLong(arguments[3]);
    Meter meter = new Meter(1, started, warmUp);
    ProcessFigures figures;
    try (TopologyTestDriver driver = new TopologyTestDriver(topology(), settings(Path.of(arguments[2])))) {
      long sum = new StreamsProcess(driver).run(meter.lane(), warmUp + Long.parseLong(arguments[4]));
      figures = meter.end(sum);
    }
    System.out.println(Printed.line(figures));
  }

  /** Returns the topology, without changelogs, because the driver would keep them in memory. */
  private static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> orders = builder.stream(ORDERS);
    orders
        .groupByKey()
        .count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("order-counts").withLoggingDisabled())
        .toStream()
        .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
    orders
        .join(
            builder.<String, String>stream(PAYMENTS),
            (order, payment) -> payment,
            JoinWindows.ofTimeDifferenceWithNoGrace(WINDOW),
            StreamJoined.<String, String, String>as("orders-with-payments").withLoggingDisabled())
        .to(PAID);
    return builder.build();
  }

  private static Properties settings(Path folder) {
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG, "program",
            StreamsConfig.STATE_DIR_CONFIG, folder.toString(),
            StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class,
            StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class));
    return settings;
  }

  private long run(Meter.Lane lane, long steps) {
    long sum = 0;
    long before = System.nanoTime();
    for (long step = 0; step < steps; step++) {
      sum += step(step);
      long now = System.nanoTime();
      lane.did(now - before);
      before = now;
    }
    return sum + outputs();
  }

  /** Processes an order, or, in a third of the steps, a payment. */
  private long step(long step) {
    time += MILLIS_PER_STEP;
    (random.nextInt(3) == 0 ? payments : orders).pipeInput("key-" + random.nextInt(KEYS), value, time);
    return step % STEPS_BETWEEN_READS == 0 ? outputs() : 0;
  }

  private long outputs() {
    long sum = 0;
    for (long count : counts.readValuesToList()) {
      sum += count;
    }
    for (String payment : paid.readValuesToList()) {
      sum += payment.length();
    }
    return sum;
  }
}
