/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's window, session and versioned stores, each of which has one database for each time span. */
class TimeStoresTest {
  /** Transactional stores, which buffer writes until Kafka commits; {@link BrokerTest} also uses other stores. */
  private static final Map<String, ?> TUNED =
      Map.of(
          StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, TunedStores.class,
          StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStoreOfWindowsFindsThemByKeyAndByTime(boolean cached) {
    TreeMap<String, TreeMap<Long, String>> model = new TreeMap<>();
    Random random = new Random(1);
    try (OneStore one = windows(cached, Duration.ofDays(1))) {
      WindowStore<String, String> store = one.driver.getWindowStore(OneStore.NAME);
      for (int i = 0; i < 3000; i++) {
        String key = "key-" + random.nextInt(20);
        long time = 1000L * random.nextInt(60 * 60 * 12);
        String value = random.nextInt(10) == 0 ? null : "value-" + i;
        store.put(key, value, time);
        TreeMap<Long, String> times = model.computeIfAbsent(key, none -> new TreeMap<>());
        if (value == null) {
          times.remove(time);
        } else {
          times.put(time, value);
        }
      }
      for (Map.Entry<String, TreeMap<Long, String>> entry : model.entrySet()) {
        long from = 1000L * random.nextInt(60 * 60 * 6);
        long to = from + 1000L * 60 * 60 * 3;
        Map<Long, String> expected = entry.getValue().subMap(from, true, to, true);
        assertEquals(new ArrayList<>(expected.values()), values(store.fetch(entry.getKey(), from, to)));
        assertEquals(
            new ArrayList<>(expected.values()).reversed(), values(store.backwardFetch(entry.getKey(), from, to)));
        expected.forEach((time, value) -> assertEquals(value, store.fetch(entry.getKey(), time)));
      }
      int all = model.values().stream().mapToInt(Map::size).sum();
      assertEquals(all, count(store.all()));
      assertEquals(all, count(store.backwardAll()));
      assertEquals(all, count(store.fetchAll(0, Long.MAX_VALUE)));
      assertEquals(
          model.get("key-3").size() + model.get("key-4").size(),
          count(store.fetch("key-3", "key-4", 0, Long.MAX_VALUE)));
    }
  }

  @Test
  void windowsThatAreOverAreDroppedFromTheDisk() throws Exception {
    try (OneStore one = windows(false, Duration.ofMinutes(5))) {
      WindowStore<String, String> store = one.driver.getWindowStore(OneStore.NAME);
      for (int minute = 0; minute < 120; minute++) {
        one.input.pipeInput("key", "value-" + minute, Duration.ofMinutes(minute).toMillis());
      }
      assertNull(store.fetch("key", Duration.ofMinutes(60).toMillis()));
      assertEquals("value-118", store.fetch("key", Duration.ofMinutes(118).toMillis()));
      try (Stream<Path> files = Files.walk(folder)) {
        long segments = files.filter(file -> file.getFileName().toString().equals("CURRENT")).count();
        assertTrue(segments > 0 && segments < 10, segments + " databases");
      }
    }
  }

  private OneStore windows(boolean cached, Duration retention) {
    StoreBuilder<WindowStore<String, String>> builder =
        Stores.windowStoreBuilder(
            Stores.persistentWindowStore(OneStore.NAME, retention, Duration.ofMinutes(1), false),
            Serdes.String(),
            Serdes.String());
    return new OneStore(
        folder,
        cached ? builder.withCachingEnabled() : builder,
        (store, record) -> store.put(record.key(), record.value(), record.timestamp()),
        TUNED);
  }

  @Test
  void aStoreOfVersionsKnowsWhatWasTrueWhen() {
    Duration history = Duration.ofHours(2);
    StoreBuilder<VersionedKeyValueStore<String, String>> builder =
        Stores.versionedKeyValueStoreBuilder(
            Stores.persistentVersionedKeyValueStore(OneStore.NAME, history, Duration.ofMinutes(10)),
            Serdes.String(),
            Serdes.String());
    Map<String, TreeMap<Long, String>> model = new HashMap<>();
    Random random = new Random(2);
    try (OneStore one =
        new OneStore(
            folder,
            builder,
            (store, record) -> store.put(record.key(), record.value(), record.timestamp()),
            TUNED)) {
      for (int i = 0; i < 2000; i++) {
        String key = "key-" + random.nextInt(25);
        long time = random.nextLong(history.toMillis());
        String value = random.nextInt(8) == 0 ? null : "value-" + i;
        one.input.pipeInput(key, value, time);
        model.computeIfAbsent(key, none -> new TreeMap<>()).put(time, value == null ? "" : value);
      }
      VersionedKeyValueStore<String, String> store = one.driver.getVersionedKeyValueStore(OneStore.NAME);
      model.forEach((key, versions) -> compare(store, key, versions, random));
      String key = "key-0";
      VersionedRecord<String> gone = store.delete(key, history.toMillis());
      assertEquals(model.get(key).lastEntry().getValue(), gone == null ? "" : gone.value());
      assertNull(store.get(key));
    }
  }

  private static void compare(
      VersionedKeyValueStore<String, String> store, String key, TreeMap<Long, String> versions, Random random) {
    for (int i = 0; i < 50; i++) {
      long when = random.nextLong(Duration.ofHours(2).toMillis());
      Map.Entry<Long, String> expected = versions.floorEntry(when);
      VersionedRecord<String> found = store.get(key, when);
      if (expected == null || expected.getValue().isEmpty()) {
        assertNull(found, key + " at " + when);
      } else {
        assertEquals(expected.getValue(), found.value(), key + " at " + when);
        assertEquals(expected.getKey(), found.timestamp());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sessionsGrowTogether(boolean cached) {
    Duration gap = Duration.ofSeconds(10);
    Materialized<String, Long, SessionStore<org.apache.kafka.common.utils.Bytes, byte[]>> sessions =
        Materialized.<String, Long>as(Stores.persistentSessionStore(OneStore.NAME, Duration.ofHours(1)))
            .withKeySerde(Serdes.String())
            .withValueSerde(Serdes.Long());
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream("input", Consumed.with(Serdes.String(), Serdes.String()))
        .groupByKey()
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(gap, Duration.ofHours(1)))
        .count(cached ? sessions.withCachingEnabled() : sessions.withCachingDisabled());
    Map<String, TreeMap<Long, Long>> model = new HashMap<>();
    Random random = new Random(3);
    try (TopologyTestDriver driver = new TopologyTestDriver(builder.build(), OneStore.settings(folder, TUNED))) {
      TestInputTopic<String, String> input =
          driver.createInputTopic("input", new StringSerializer(), new StringSerializer());
      for (int i = 0; i < 1500; i++) {
        String key = "key-" + random.nextInt(10);
        long time = random.nextLong(Duration.ofMinutes(50).toMillis());
        input.pipeInput(key, "", Instant.ofEpochMilli(time));
        model.computeIfAbsent(key, none -> new TreeMap<>()).merge(time, 1L, Long::sum);
      }
      SessionStore<String, Long> store = driver.getSessionStore(OneStore.NAME);
      model.forEach((key, times) -> assertEquals(sessionsOf(times, gap.toMillis()), found(store, key), key));
    }
  }

  /** Returns the expected sessions, each as "first time-last time: number of records". */
  private static List<String> sessionsOf(TreeMap<Long, Long> times, long gap) {
    List<String> sessions = new ArrayList<>();
    long begin = times.firstKey();
    long end = begin;
    long count = 0;
    for (Map.Entry<Long, Long> time : times.entrySet()) {
      if (time.getKey() - end > gap) {
        sessions.add(begin + "-" + end + ": " + count);
        begin = time.getKey();
        count = 0;
      }
      end = time.getKey();
      count += time.getValue();
    }
    sessions.add(begin + "-" + end + ": " + count);
    return sessions;
  }

  private static List<String> found(SessionStore<String, Long> store, String key) {
    List<String> found = new ArrayList<>();
    try (KeyValueIterator<Windowed<String>, Long> iterator = store.fetch(key)) {
      while (iterator.hasNext()) {
        KeyValue<Windowed<String>, Long> session = iterator.next();
        found.add(session.key.window().start() + "-" + session.key.window().end() + ": " + session.value);
      }
    }
    return found;
  }

  private static List<String> values(WindowStoreIterator<String> iterator) {
    List<String> values = new ArrayList<>();
    try (iterator) {
      iterator.forEachRemaining(pair -> values.add(pair.value));
    }
    return values;
  }

  private static int count(KeyValueIterator<?, ?> iterator) {
    int count = 0;
    try (iterator) {
      while (iterator.hasNext()) {
        iterator.next();
        count++;
      }
    }
    return count;
  }
}
