/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.apache.kafka.streams.CloseOptions.GroupMembershipOperation.LEAVE_GROUP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ReadOnlySessionStore;
import org.apache.kafka.streams.state.ReadOnlyWindowStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Uses every kind of persistent store: counts records in total, by windows and by sessions; keeps a versioned table of
 * the last values; and joins two streams.
 */
final class StatefulApp implements AutoCloseable {
  private static final String COUNTS = "counts";
  private static final String WINDOWS = "windows";
  private static final String SESSIONS = "sessions";
  private static final String VERSIONS = "versions";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KafkaStreams streams;
  private final AtomicLong restored = new AtomicLong();

  StatefulApp(Broker broker, Path folder, Topics topics, Map<String, ?> more) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, topics.prefix());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address());
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 200);
    settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, TunedStores.class);
    settings.putAll(more);
    streams = new KafkaStreams(topology(topics), settings);
    streams.setGlobalStateRestoreListener(new RestoredRecords());
    streams.start();
    await(KafkaStreams.State.RUNNING, streams::state);
  }

  private static Topology topology(Topics topics) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> records = builder.stream(topics.records());
    KGroupedStream<String, String> grouped = records.groupByKey(Grouped.with(Serdes.String(), Serdes.String()));
    Duration minute = Duration.ofMinutes(1);
    grouped.count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as(COUNTS).withCachingEnabled());
    grouped
        .windowedBy(TimeWindows.ofSizeAndGrace(minute, minute))
        .count(
            Materialized.<String, Long, WindowStore<Bytes, byte[]>>as(WINDOWS)
                .withRetention(Duration.ofDays(1))
                .withCachingDisabled());
    grouped
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(minute, minute))
        .count(
            Materialized.<String, Long, SessionStore<Bytes, byte[]>>as(SESSIONS)
                .withRetention(Duration.ofDays(1))
                .withCachingDisabled());
    builder.table(
        topics.table(),
        Materialized.<String, String>as(Stores.persistentVersionedKeyValueStore(VERSIONS, Duration.ofDays(1))));
    records
        .join(
            builder.<String, String>stream(topics.others()),
            (left, right) -> left + "/" + right,
            JoinWindows.ofTimeDifferenceAndGrace(minute, Duration.ofDays(1)))
        .to(topics.joined());
    return builder.build();
  }

  /** Returns the counts of all partitions by key. */
  TreeMap<String, Long> counts() {
    ReadOnlyKeyValueStore<String, Long> store =
        streams.store(StoreQueryParameters.fromNameAndType(COUNTS, QueryableStoreTypes.keyValueStore()));
    TreeMap<String, Long> counts = new TreeMap<>();
    try (var all = store.all()) {
      all.forEachRemaining(pair -> counts.put(pair.key, pair.value));
    }
    return counts;
  }

  /** Returns the number of records in all windows. */
  long sumOfWindows() {
    ReadOnlyWindowStore<String, Long> store =
        streams.store(StoreQueryParameters.fromNameAndType(WINDOWS, QueryableStoreTypes.windowStore()));
    AtomicLong sum = new AtomicLong();
    try (var all = store.all()) {
      all.forEachRemaining(pair -> sum.addAndGet(pair.value));
    }
    return sum.get();
  }

  long sumOfSessions(Iterable<String> keys) {
    ReadOnlySessionStore<String, Long> store =
        streams.store(StoreQueryParameters.fromNameAndType(SESSIONS, QueryableStoreTypes.sessionStore()));
    AtomicLong sum = new AtomicLong();
    for (String key : keys) {
      try (var sessions = store.fetch(key)) {
        sessions.forEachRemaining(pair -> sum.addAndGet(pair.value));
      }
    }
    return sum.get();
  }

  /** Returns all versions of a row of the table, from the oldest. */
  List<String> versions(String row) {
    List<String> versions = new ArrayList<>();
    MultiVersionedKeyQuery<String, String> query =
        MultiVersionedKeyQuery.<String, String>withKey(row).withAscendingTimestamps();
    for (VersionedRecordIterator<String> iterator : results(VERSIONS, query)) {
      try (iterator) {
        iterator.forEachRemaining(record -> versions.add(record.value()));
      }
    }
    return versions;
  }

  /** Returns the keys that a query of the counts finds, in descending order. */
  List<String> keys(Query<KeyValueIterator<String, ValueAndTimestamp<Long>>> query) {
    List<String> keys = new ArrayList<>();
    for (KeyValueIterator<String, ValueAndTimestamp<Long>> iterator : results(COUNTS, query)) {
      try (iterator) {
        iterator.forEachRemaining(pair -> keys.add(pair.key));
      }
    }
    keys.sort(Comparator.reverseOrder());
    return keys;
  }

  /** Returns the result of a query in each partition. */
  private <R> List<R> results(String store, Query<R> query) {
    return streams.query(StateQueryRequest.inStore(store).withQuery(query)).getPartitionResults().values().stream()
        .map(QueryResult::getResult)
        .toList();
  }

  /** Returns the number of records that were restored from changelogs since the start. */
  long restored() {
    return restored.get();
  }

  /** Waits for an expected result. Ignores the exceptions that are thrown while stores move to another thread. */
  static <T> void await(T expected, Supplier<T> actual) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Object last = answer(actual);
    while (!expected.equals(last) && System.nanoTime() < end) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      last = answer(actual);
    }
    assertEquals(expected, last);
  }

  private static Object answer(Supplier<?> actual) {
    try {
      return actual.get();
    } catch (InvalidStateStoreException e) {
      return e;
    }
  }

  /** Leaves the consumer group, so that the next program need not wait for this member's session timeout. */
  @Override
  public void close() {
    assertTrue(streams.close(CloseOptions.groupMembershipOperation(LEAVE_GROUP).withTimeout(PATIENCE)));
  }

  private final class RestoredRecords implements StateRestoreListener {
    @Override
    public void onRestoreStart(TopicPartition partition, String store, long from, long to) {}

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long to, long count) {
      restored.addAndGet(count);
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long count) {}
  }
}
