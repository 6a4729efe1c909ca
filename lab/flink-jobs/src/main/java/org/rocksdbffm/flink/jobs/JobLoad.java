/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The jobs that are compared, which mostly read and write state. */
enum JobLoad implements Topology {
  /** State that does not expire, and state that expires immediately and is removed in compactions. */
  TTL(500_000) {
    @Override
    public DataStream<?> of(DataStream<Long> events) {
      return events.keyBy(event -> SpreadNumber.of(event) & 0x7fff, Types.LONG).process(new Ages()).returns(Types.LONG);
    }
  },

  /** Windows that keep all events, about a hundred for each key. */
  WINDOWS(1_200_000) {
    @Override
    public DataStream<?> of(DataStream<Long> events) {
      return events
          .map(event -> text(JobProgress.came(event)))
          .returns(Types.STRING)
          .keyBy(text -> text.hashCode() & 0x3ffL, Types.LONG)
          .window(TumblingEventTimeWindows.of(Duration.ofMillis(240_000)))
          .process(new Lengths())
          .returns(Types.LONG);
    }
  },

  /** A join of events of two streams in a time interval. */
  JOIN(250_000) {
    @Override
    public DataStream<?> of(DataStream<Long> events) {
      return side(events, 0).intervalJoin(side(events, 1))
          .between(Duration.ofMillis(-20_000), Duration.ofMillis(20_000))
          .process(new Pairs(), Types.LONG);
    }
  };

  final long events;

  JobLoad(long events) {
    this.events = events;
  }

  private static String text(long event) {
    return Long.toHexString(SpreadNumber.of(event)) + " is the text of an event that is kept in a window, number "
        + event;
  }

  private static KeyedStream<Long, Long> side(DataStream<Long> events, int side) {
    return events.filter(event -> (JobProgress.came(event) & 1) == side)
        .keyBy(event -> SpreadNumber.of(event) & 0xfff, Types.LONG);
  }

  private static final class Ages extends KeyedProcessFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1;

    private transient ValueState<String> old;
    private transient ValueState<String> young;
    private transient ListState<Long> oldList;
    private transient MapState<Long, String> youngMap;

    @Override
    public void open(OpenContext context) {
      Duration none = Duration.ofMillis(1);
      Duration day = Duration.ofDays(1);
      old = getRuntimeContext().getState(expiring(none, new ValueStateDescriptor<>("old", Types.STRING)));
      young = getRuntimeContext().getState(expiring(day, new ValueStateDescriptor<>("young", Types.STRING)));
      oldList = getRuntimeContext().getListState(expiring(none, new ListStateDescriptor<>("old list", Types.LONG)));
      youngMap =
          getRuntimeContext()
              .getMapState(expiring(day, new MapStateDescriptor<>("young map", Types.LONG, Types.STRING)));
    }

    private static <D extends StateDescriptor<?, ?>> D expiring(Duration life, D descriptor) {
      descriptor.enableTimeToLive(StateTtlConfig.newBuilder(life).cleanupInRocksdbCompactFilter(1000).build());
      return descriptor;
    }

    @Override
    public void processElement(Long event, Context context, Collector<Long> out) throws Exception {
      JobProgress.came(event);
      String before = young.value();
      young.update(text(event));
      old.update(text(event + 1));
      oldList.add(event);
      youngMap.put(event & 7, text(event + 2));
      JobProgress.count("bytes", before == null ? 0 : before.length());
    }
  }

  private static final class Lengths extends ProcessWindowFunction<String, Long, Long, TimeWindow> {
    private static final long serialVersionUID = 1;

    @Override
    public void process(Long key, Context context, Iterable<String> texts, Collector<Long> out) {
      long sum = 0;
      for (String text : texts) {
        sum = sum * 31 + text.length();
      }
      JobProgress.count("lengths", sum);
    }
  }

  private static final class Pairs extends ProcessJoinFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1;

    @Override
    public void processElement(Long left, Long right, Context context, Collector<Long> out) {
      JobProgress.count("pairs", SpreadNumber.of(left * 31 + right));
    }
  }
}
