/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.typeutils.runtime.NullableSerializer;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackend;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;

/**
 * State of every kind, with parts of different ages: an event is written at the time that equals its number. Three
 * rounds of events write the state. The first event of the fourth round starts a compaction, and the others report the
 * remaining state.
 */
final class ExpiringStates extends KeyedProcessFunction<Long, Long, Long> {
  static final int KEYS = 300;
  static final long FILLED = 3 * KEYS;
  static final long READ = FILLED + KEYS;

  /** A TTL with which the first round and half of the second are expired. */
  static final long LIFE = KEYS + KEYS / 2;

  /** A TTL with which all rounds are expired, except the end of the last one. */
  static final long SHORT_LIFE = KEYS / 3;

  static final long NO_END = Long.MAX_VALUE;

  private static final long serialVersionUID = 1;

  private final long life;
  private final long firstNull;

  private transient ValueState<Long> value;
  private transient ListState<String> list;
  private transient ListState<Long> longs;
  private transient MapState<Long, Long> map;
  private transient ReducingState<Long> sum;

  /**
   * Creates state with a TTL, or, with {@link #NO_END}, without one.
   *
   * @param firstNull the first event that writes null entries, because Flink cannot migrate null entries to a TTL
   */
  ExpiringStates(long life, long firstNull) {
    this.life = life;
    this.firstNull = firstNull;
  }

  @Override
  public void open(OpenContext context) {
    value = getRuntimeContext().getState(expiring(new ValueStateDescriptor<>("value", Types.LONG)));
    list = getRuntimeContext().getListState(expiring(new ListStateDescriptor<>("list", Types.STRING)));
    longs = getRuntimeContext().getListState(expiring(new ListStateDescriptor<>("longs", Types.LONG)));
    TypeSerializer<Long> orNull = NullableSerializer.wrapIfNullIsNotSupported(LongSerializer.INSTANCE, false);
    map = getRuntimeContext().getMapState(expiring(new MapStateDescriptor<>("map", LongSerializer.INSTANCE, orNull)));
    sum = getRuntimeContext().getReducingState(expiring(new ReducingStateDescriptor<>("sum", Long::sum, Types.LONG)));
  }

  private <D extends StateDescriptor<?, ?>> D expiring(D descriptor) {
    if (life != NO_END) {
      descriptor.enableTimeToLive(
          StateTtlConfig.newBuilder(Duration.ofMillis(life))
              .setStateVisibility(StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp)
              .cleanupInRocksdbCompactFilter(10)
              .build());
    }
    return descriptor;
  }

  @Override
  public void processElement(Long event, Context context, Collector<Long> out) throws Exception {
    JobProgress.came(event);
    ClockedBackend.NOW.set(Math.min(event, FILLED));
    long round = event / KEYS;
    if (event < FILLED) {
      if (isWritten(event)) {
        value.update(event);
        sum.add(event);
      }
      list.add(text(event));
      list.addAll(List.of("and", text(event + 1)));
      longs.add(event);
      map.put(round, entry(event, firstNull));
      return;
    }
    if (event == FILLED) {
      compact();
    }
    List<Object> entries = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : map.entries()) {
      entries.add(entry.getKey() + "=" + entry.getValue());
    }
    JobProgress.result(
        context.getCurrentKey(), words(value.value(), sum.get(), all(list.get()), all(longs.get()), entries));
  }

  /** Whether an event writes value and sum, which happens once for each key, so that keys have different ages. */
  private static boolean isWritten(long event) {
    return event % KEYS % 3 == event / KEYS;
  }

  private static Long entry(long event, long firstNull) {
    return event % 5 == 0 && event >= firstNull ? null : Long.valueOf(event);
  }

  private static String text(long event) {
    return "x".repeat((int) (event % 7)) + event;
  }

  private static <T> List<T> all(Iterable<T> elements) {
    List<T> all = new ArrayList<>();
    if (elements != null) {
      elements.forEach(all::add);
    }
    return all;
  }

  private static String words(Object... parts) {
    return Arrays.toString(parts);
  }

  /** Returns the expected output of each key if exactly the parts that are older than a TTL are removed. */
  static Map<Long, String> results(long life, long firstNull) {
    Map<Long, String> results = new TreeMap<>();
    for (long key = 0; key < KEYS; key++) {
      Long value = null;
      List<String> list = new ArrayList<>();
      List<Long> longs = new ArrayList<>();
      List<String> entries = new ArrayList<>();
      for (long event = key; event < FILLED; event += KEYS) {
        if (event > FILLED - life) {
          value = isWritten(event) ? Long.valueOf(event) : value;
          list.addAll(List.of(text(event), "and", text(event + 1)));
          longs.add(event);
          entries.add(event / KEYS + "=" + entry(event, firstNull));
        }
      }
      results.put(key, words(value, value, list, longs, entries));
    }
    return results;
  }

  /** Compacts all rows, once; the backend has no method for that. */
  @SuppressWarnings("unchecked")
  private void compact() throws Exception {
    Object backend = field(field(getRuntimeContext(), "keyedStateStore"), "keyedStateBackend");
    RocksDB db = (RocksDB) field(backend, "db");
    var states = (Map<String, RocksDBKeyedStateBackend.RocksDbKvStateInfo>) field(backend, "kvStateInformation");
    try (FlushOptions options = new FlushOptions()) {
      for (RocksDBKeyedStateBackend.RocksDbKvStateInfo state : states.values()) {
        ColumnFamilyHandle family = state.columnFamilyHandle;
        db.flush(options, family);
        db.compactRange(family);
      }
    }
  }

  private static Object field(Object object, String name) throws ReflectiveOperationException {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field.get(object);
        }
      }
    }
    throw new NoSuchFieldException(name);
  }
}
