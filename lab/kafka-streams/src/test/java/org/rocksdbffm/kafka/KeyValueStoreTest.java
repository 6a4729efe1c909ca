/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.TimestampedKeyValueStore;
import org.apache.kafka.streams.state.TimestampedKeyValueStoreWithHeaders;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.apache.kafka.streams.state.ValueTimestampHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka's key-value stores, compared with a sorted map of the JDK. */
class KeyValueStoreTest {
  private static final int STEPS = 3000;

  @TempDir Path folder;

  enum Kind {
    PLAIN {
      @Override
      OneStore open(Path folder, boolean cached, Map<String, ?> settings) {
        return new OneStore(folder, plain(cached), Kind::write, settings);
      }
    },
    TIMESTAMPED {
      @Override
      OneStore open(Path folder, boolean cached, Map<String, ?> settings) {
        StoreBuilder<TimestampedKeyValueStore<String, String>> builder =
            Stores.timestampedKeyValueStoreBuilder(
                Stores.persistentTimestampedKeyValueStore(OneStore.NAME), Serdes.String(), Serdes.String());
        return new OneStore(folder, cached(builder, cached), Kind::writeTimestamped, settings);
      }
    },
    WITH_HEADERS {
      @Override
      OneStore open(Path folder, boolean cached, Map<String, ?> settings) {
        StoreBuilder<TimestampedKeyValueStoreWithHeaders<String, String>> builder =
            Stores.timestampedKeyValueStoreWithHeadersBuilder(
                Stores.persistentTimestampedKeyValueStoreWithHeaders(OneStore.NAME), Serdes.String(), Serdes.String());
        return new OneStore(folder, cached(builder, cached), Kind::writeWithHeaders, settings);
      }
    };

    abstract OneStore open(Path folder, boolean cached, Map<String, ?> settings);

    static StoreBuilder<KeyValueStore<String, String>> plain(boolean cached) {
      return cached(
          Stores.keyValueStoreBuilder(
              Stores.persistentKeyValueStore(OneStore.NAME), Serdes.String(), Serdes.String()),
          cached);
    }

    private static <S extends StateStore> StoreBuilder<S> cached(StoreBuilder<S> builder, boolean cached) {
      StoreBuilder<S> unlogged = builder.withLoggingDisabled();
      return cached ? unlogged.withCachingEnabled() : unlogged.withCachingDisabled();
    }

    private static void write(KeyValueStore<String, String> store, Record<String, String> record) {
      store.put(record.key(), record.value());
    }

    private static void writeTimestamped(
        TimestampedKeyValueStore<String, String> store, Record<String, String> record) {
      store.put(record.key(), ValueAndTimestamp.make(record.value(), record.timestamp()));
    }

    private static void writeWithHeaders(
        TimestampedKeyValueStoreWithHeaders<String, String> store, Record<String, String> record) {
      store.put(record.key(), ValueTimestampHeaders.make(record.value(), record.timestamp(), record.headers()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN,false,false,true", "PLAIN,true,true,false",
    "TIMESTAMPED,false,true,false", "TIMESTAMPED,true,false,true",
    "WITH_HEADERS,false,true,true", "WITH_HEADERS,true,false,false"
  })
  void aStoreIsASortedMap(Kind kind, boolean cached, boolean tuned, boolean transactional) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, transactional);
    if (tuned) {
      settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, TunedStores.class);
    }
    Random random = new Random(7 * kind.ordinal() + (cached ? 1 : 0));
    TreeMap<String, String> model = new TreeMap<>();
    try (OneStore one = kind.open(folder, cached, settings)) {
      KeyValueStore<String, String> store = one.driver.getKeyValueStore(OneStore.NAME);
      for (int step = 0; step < STEPS; step++) {
        step(random, one, store, model);
        if (step % 250 == 249) {
          // Commits: before a commit, Kafka's reverse scans return rows that only the cache has deleted.
          one.input.pipeInput("key-000", "commit");
          model.put("key-000", "commit");
          compareScans(random, store, model, transactional);
        }
      }
      assertTrue(store.persistent());
      assertTrue(store.approximateNumEntries() > 0);
    }
  }

  private static void step(
      Random random, OneStore one, KeyValueStore<String, String> store, TreeMap<String, String> model) {
    String key = key(random);
    String value = random.nextInt(5) == 0 ? null : "v".repeat(random.nextInt(200)) + random.nextInt();
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        one.input.pipeInput(key, value);
        put(model, key, value);
      }
      case 3 -> {
        store.put(key, value);
        put(model, key, value);
      }
      case 4 -> assertEquals(model.remove(key), store.delete(key));
      case 5 -> {
        assertEquals(model.get(key), store.putIfAbsent(key, "new"));
        model.putIfAbsent(key, "new");
      }
      case 6 -> {
        List<KeyValue<String, String>> many = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          String other = key(random);
          many.add(KeyValue.pair(other, i % 7 == 0 ? null : value));
          put(model, other, i % 7 == 0 ? null : value);
        }
        store.putAll(many);
      }
      default -> assertEquals(model.get(key), store.get(key));
    }
  }

  private static void put(TreeMap<String, String> model, String key, String value) {
    if (value == null) {
      model.remove(key);
    } else {
      model.put(key, value);
    }
  }

  private static String key(Random random) {
    return "key-%03d".formatted(random.nextInt(400));
  }

  private static void compareScans(
      Random random, KeyValueStore<String, String> store, TreeMap<String, String> model, boolean transactional) {
    String one = key(random);
    String other = key(random);
    String from = one.compareTo(other) < 0 ? one : other;
    String to = one.compareTo(other) < 0 ? other : one;
    assertEquals(pairs(model), pairs(store.all()));
    assertEquals(pairs(model.descendingMap()), pairs(store.reverseAll()));
    assertEquals(pairs(model.subMap(from, true, to, true)), pairs(store.range(from, to)));
    assertEquals(
        pairs(model.subMap(from, true, to, true).descendingMap()), pairs(store.reverseRange(from, to)));
    if (!transactional) { // without a first key, Kafka's transactional store reads beyond the last key
      assertEquals(pairs(model.headMap(to, true)), pairs(store.range(null, to)));
    }
    assertEquals(pairs(model.tailMap(from, true)), pairs(store.range(from, null)));
    String prefix = one.substring(0, 5);
    assertEquals(
        pairs(model.subMap(prefix, prefix + Character.MAX_VALUE)),
        pairs(store.prefixScan(prefix, new StringSerializer())));
  }

  private static List<String> pairs(Map<String, String> map) {
    return map.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).toList();
  }

  private static List<String> pairs(KeyValueIterator<String, String> iterator) {
    List<String> pairs = new ArrayList<>();
    try (iterator) {
      while (iterator.hasNext()) {
        String next = iterator.peekNextKey();
        KeyValue<String, String> pair = iterator.next();
        assertEquals(next, pair.key);
        pairs.add(pair.key + "=" + pair.value);
      }
    }
    return pairs;
  }

  @Test
  void anIteratorThatIsLeftOpenIsClosedByItsStore() {
    KeyValueStore<String, String> store;
    KeyValueIterator<String, String> forgotten;
    try (OneStore one = Kind.PLAIN.open(folder, false, Map.of())) {
      one.input.pipeInput("a", "1");
      one.input.pipeInput("b", "2");
      store = one.driver.getKeyValueStore(OneStore.NAME);
      forgotten = store.all();
      assertEquals("a", forgotten.next().key);
    }
    assertThrows(InvalidStateStoreException.class, forgotten::hasNext);
    assertThrows(InvalidStateStoreException.class, () -> store.get("a"));
  }

  @Test
  void anIteratorSeesTheStoreAsItWas() {
    try (OneStore one = Kind.TIMESTAMPED.open(folder, false, Map.of())) {
      KeyValueStore<String, String> store = one.driver.getKeyValueStore(OneStore.NAME);
      store.put("a", "1");
      store.put("b", "2");
      try (KeyValueIterator<String, String> iterator = store.all()) {
        store.put("aa", "new");
        store.delete("b");
        assertEquals(KeyValue.pair("a", "1"), iterator.next());
        assertEquals(KeyValue.pair("b", "2"), iterator.next());
        assertFalse(iterator.hasNext());
        assertThrows(NoSuchElementException.class, iterator::next);
      }
      assertNull(store.get("b"));
    }
  }

  @Test
  void whatASetterMadeIsUsedAndGivenBack() {
    int before = TunedStores.SET.get();
    Map<String, ?> settings = Map.of(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, TunedStores.class);
    try (OneStore one = Kind.PLAIN.open(folder, false, settings)) {
      assertEquals(before + 1, TunedStores.SET.get());
      assertEquals(1, TunedStores.FILTERS.size());
      for (int i = 0; i < 2000; i++) {
        one.input.pipeInput("key-" + i, "some value, and longer than it need be");
      }
      KeyValueStore<String, String> store = one.driver.getKeyValueStore(OneStore.NAME);
      assertEquals(2000, pairs(store.all()).size());
      assertTrue(TunedStores.CACHE.getUsage() > 10_000, "in use: " + TunedStores.CACHE.getUsage());
    }
    assertEquals(0, TunedStores.FILTERS.size());
    assertTrue(TunedStores.CACHE.isOwningHandle());
  }
}
