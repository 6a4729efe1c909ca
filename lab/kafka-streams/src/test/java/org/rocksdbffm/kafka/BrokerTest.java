/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.kafka.StatefulApp.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program with state stores, on a real broker: it is stopped, restarted, and restarted without its folder. */
class BrokerTest {
  private static final int PARTITIONS = 4;
  private static final int RECORDS = 1100;
  private static final int KEYS = 300;

  private static Broker broker;

  @TempDir static Path logs;
  @TempDir Path folder;

  private final Random random = new Random(5);
  private final TreeMap<String, Long> counts = new TreeMap<>();
  private final Map<String, List<String>> versions = new HashMap<>();
  private long time = startOfAnHour();
  private int pairs;

  /**
   * Returns a past time such that all records fall into one hour: Kafka's versioned store has a segment for each hour,
   * and after it is reopened, it does not read a segment until it has written to it.
   */
  private static long startOfAnHour() {
    return Instant.now().minus(Duration.ofHours(2)).truncatedTo(ChronoUnit.HOURS).toEpochMilli();
  }

  @BeforeAll
  static void start() throws Exception {
    broker = new Broker(logs);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @ParameterizedTest
  @CsvSource({
    "at_least_once,false,DEFAULT", "at_least_once,true,HEADERS",
    "exactly_once_v2,false,HEADERS", "exactly_once_v2,true,DEFAULT"
  })
  void stateOutlivesItsProgramAndItsFolder(String guarantee, boolean transactional, String format) throws Exception {
    Topics topics = new Topics(guarantee + "-" + format);
    broker.createTopics(PARTITIONS, topics.records(), topics.others(), topics.table(), topics.joined());
    Map<String, ?> settings =
        Map.of(
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee,
            StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, transactional,
            StreamsConfig.DSL_STORE_FORMAT_CONFIG, format);
    try (StatefulApp app = new StatefulApp(broker, folder, topics, settings)) {
      send(topics);
      assertState(app);
      assertVersions(app);
      assertEquals(0, app.restored());
    }
    try (StatefulApp again = new StatefulApp(broker, folder, topics, settings)) {
      assertState(again);
      assertEquals(0, again.restored(), "what the folder has is up to date");
      send(topics);
      assertState(again);
      assertVersions(again);
    }
    delete(folder);
    try (StatefulApp anew = new StatefulApp(broker, folder, topics, settings)) {
      assertState(anew);
      assertTrue(anew.restored() > KEYS, anew.restored() + " records restored");
      send(topics);
      assertState(anew);
      assertVersions(anew);
    }
    assertEquals(pairs, broker.records(topics.joined()));
    assertEquals(Map.of(), TunedStores.FILTERS, "every store closed what was made for it");
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Sends records with past timestamps, within the last day, because the stores retain one day. */
  private void send(Topics topics) {
    try (Producer<String, String> producer = broker.producer()) {
      for (int i = 0; i < RECORDS; i++) {
        time += 1000;
        String key = "key-%03d".formatted(random.nextInt(KEYS));
        producer.send(new ProducerRecord<>(topics.records(), null, time, key, "value-" + i));
        counts.merge(key, 1L, Long::sum);
        if (i % 10 == 0) {
          String pair = "pair-" + pairs++;
          producer.send(new ProducerRecord<>(topics.records(), null, time, pair, "left"));
          producer.send(new ProducerRecord<>(topics.others(), null, time, pair, "right"));
          counts.put(pair, 1L);
          String row = "row-" + i % 70;
          String version = i % 60 == 0 ? null : "version-" + i;
          producer.send(new ProducerRecord<>(topics.table(), null, time, row, version));
          List<String> ofRow = versions.computeIfAbsent(row, none -> new ArrayList<>());
          if (version != null) {
            ofRow.add(version);
          }
        }
      }
    }
  }

  private void assertState(StatefulApp app) {
    long records = counts.values().stream().mapToLong(Long::longValue).sum();
    await(records, app::sumOfWindows);
    await(records, () -> app.sumOfSessions(counts.keySet()));
    await(counts, app::counts);
    await(
        new ArrayList<>(counts.subMap("key-100", true, "key-120", true).descendingMap().keySet()),
        () ->
            app.keys(
                RangeQuery.<String, ValueAndTimestamp<Long>>withRange("key-100", "key-120").withDescendingKeys()));
  }

  /**
   * Compares the versions, after new records were sent: a versioned store that was opened in an existing folder does
   * not know the stream time before its first record, for example after a second thread took over the store.
   */
  private void assertVersions(StatefulApp app) {
    versions.forEach((row, expected) -> await(expected, () -> app.versions(row)));
  }
}
