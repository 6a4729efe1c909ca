/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AppendingState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.state.rocksdb.RocksDBKeyedStateBackend;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;

/**
 * State that expires at once, and state that does not, of every kind. The first round of events fills it, later ones say
 * what is left; the first event of the last one has the engine compact before.
 */
final class ExpiringStates extends KeyedProcessFunction<Long, Long, Long> {
  static final int KEYS = 300;

  /** Keys whose state is read before a compaction: what is expired then, Flink deletes when it is read. */
  private static final int READ_BEFORE = 100;

  static final long FILLED = KEYS;
  static final long READ = 2 * KEYS;
  static final long COMPACTED = 3 * KEYS;

  private static final long serialVersionUID = 1;

  private final Map<String, Duration> lives = new LinkedHashMap<>();

  private transient Map<String, ValueState<Long>> values;
  private transient Map<String, ListState<String>> lists;
  private transient Map<String, ListState<Long>> fixedLists;
  private transient Map<String, MapState<Long, Long>> maps;
  private transient Map<String, AppendingState<Long, Long>> sums;

  ExpiringStates() {
    lives.put("expired", Duration.ofMillis(1));
    lives.put("living", Duration.ofDays(1000));
  }

  @Override
  public void open(OpenContext context) {
    values = new LinkedHashMap<>();
    lists = new LinkedHashMap<>();
    fixedLists = new LinkedHashMap<>();
    maps = new LinkedHashMap<>();
    sums = new LinkedHashMap<>();
    lives.forEach(
        (name, life) -> {
          values.put(name, getRuntimeContext().getState(expiring(life, new ValueStateDescriptor<>(name + " value", Types.LONG))));
          lists.put(name, getRuntimeContext().getListState(expiring(life, new ListStateDescriptor<>(name + " list", Types.STRING))));
          fixedLists.put(
              name, getRuntimeContext().getListState(expiring(life, new ListStateDescriptor<>(name + " longs", Types.LONG))));
          maps.put(
              name, getRuntimeContext().getMapState(expiring(life, new MapStateDescriptor<>(name + " map", Types.LONG, Types.LONG))));
          sums.put(
              name,
              getRuntimeContext().getReducingState(expiring(life, new ReducingStateDescriptor<>(name + " sum", Long::sum, Types.LONG))));
        });
  }

  private static <D extends StateDescriptor<?, ?>> D expiring(Duration life, D descriptor) {
    descriptor.enableTimeToLive(
        StateTtlConfig.newBuilder(life)
            .setStateVisibility(StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp)
            .cleanupInRocksdbCompactFilter(10)
            .build());
    return descriptor;
  }

  @Override
  public void processElement(Long event, Context context, Collector<Long> out) throws Exception {
    Progress.came(event);
    if (event == READ) {
      compact();
    }
    for (String name : lives.keySet()) {
      if (event < FILLED) {
        fill(name, event);
      } else if (event < READ && context.getCurrentKey() < READ_BEFORE) {
        count("before a compaction", name);
      } else if (event >= READ && context.getCurrentKey() >= READ_BEFORE) {
        count("compacted", name);
      }
    }
  }

  private void fill(String name, long event) throws Exception {
    values.get(name).update(event);
    lists.get(name).add("first " + event);
    lists.get(name).addAll(List.of("second", "third " + event * event));
    fixedLists.get(name).add(event);
    fixedLists.get(name).update(List.of(event, event + 1));
    fixedLists.get(name).add(event + 2);
    maps.get(name).put(event, event);
    maps.get(name).put(event + 1, event);
    sums.get(name).add(event);
    sums.get(name).add(1L);
  }

  private void count(String when, String name) throws Exception {
    Progress.count(when + ", " + name + " values", values.get(name).value() == null ? 0 : 1);
    Progress.count(when + ", " + name + " lists", size(lists.get(name).get()));
    Progress.count(when + ", " + name + " lists of longs", size(fixedLists.get(name).get()));
    Progress.count(when + ", " + name + " maps", size(maps.get(name).keys()));
    Progress.count(when + ", " + name + " sums", sums.get(name).get() == null ? 0 : 1);
  }

  private static int size(Iterable<?> elements) {
    int size = 0;
    if (elements != null) {
      for (Object each : elements) {
        size++;
      }
    }
    return size;
  }

  /** Once, as a compaction of all that there is; nothing of the backend's does that when it is asked to. */
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
