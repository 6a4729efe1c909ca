/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.evictors.CountEvictor;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

/**
 * Windows and joins of every kind over the same events, which arrive out of order. A result is a key and a number. The
 * numbers of a key are added, so that their order does not matter. {@link WindowModel} computes the expected sums.
 */
final class Windows implements Topology {
  static final int KEYS = 300;

  /** The number of events of a block, in which events are in reverse order. */
  static final int BLOCK = 64;

  static final long TUMBLING = 2_000;
  static final long SLIDING = 3_000;
  static final long SLIDE = 1_000;
  static final long GAP = 200;
  static final long LARGE = 6_000;
  static final int EVICTED_TO = 5;
  static final int COUNT = 7;
  static final long BEFORE = 300;
  static final long AFTER = 200;

  private static final TypeInformation<Tuple2<Long, Long>> RESULT = Types.TUPLE(Types.LONG, Types.LONG);

  @Override
  public DataStream<?> of(DataStream<Long> source) {
    DataStream<Long> events =
        source
            .map(event -> event ^ BLOCK - 1)
            .returns(Types.LONG)
            .setParallelism(1)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Long>forBoundedOutOfOrderness(Duration.ofMillis(BLOCK))
                    .withTimestampAssigner((event, time) -> event))
            .setParallelism(1);
    KeyedStream<Long, Long> keyed = keyed(events);
    KeyedStream<Long, Long> even = keyed(events.filter(event -> event % 2 == 0).setParallelism(1));
    KeyedStream<Long, Long> odd = keyed(events.filter(event -> event % 2 != 0).setParallelism(1));
    List<DataStream<Tuple2<Long, Long>>> others =
        List.of(
            keyed.window(SlidingEventTimeWindows.of(millis(SLIDING), millis(SLIDE)))
                .process(new InOrder<TimeWindow>(1), RESULT)
                .uid("sliding"),
            keyed.window(EventTimeSessionWindows.withGap(millis(GAP)))
                .aggregate(new Sum(), new InOrder<TimeWindow>(2), Types.LONG, Types.LONG, RESULT)
                .uid("sessions"),
            keyed.window(EventTimeSessionWindows.withGap(millis(GAP))).process(new Sums(3), RESULT)
                .uid("sessions of lists"),
            keyed.window(TumblingEventTimeWindows.of(millis(LARGE))).process(new InOrder<TimeWindow>(4), RESULT)
                .uid("large"),
            keyed.window(TumblingEventTimeWindows.of(millis(TUMBLING)))
                .evictor(CountEvictor.of(EVICTED_TO))
                .process(new InOrder<TimeWindow>(5), RESULT)
                .uid("evicted"),
            keyed.window(GlobalWindows.create())
                .trigger(PurgingTrigger.of(CountTrigger.of(COUNT)))
                .process(new InOrder<GlobalWindow>(6), RESULT)
                .uid("counted"),
            even.intervalJoin(odd).between(millis(-BEFORE), millis(AFTER)).process(new Pairs(7), RESULT)
                .uid("interval join"),
            even.join(odd)
                .where(Windows::key, Types.LONG)
                .equalTo(Windows::key, Types.LONG)
                .window(TumblingEventTimeWindows.of(millis(TUMBLING)))
                .apply((left, right) -> pair(8, left, right), RESULT)
                .uid("window join"),
            even.connect(odd).process(new Matches(), RESULT).uid("join"));
    DataStream<Tuple2<Long, Long>> results =
        keyed.window(TumblingEventTimeWindows.of(millis(TUMBLING)))
            .aggregate(new Sum(), new InOrder<TimeWindow>(0), Types.LONG, Types.LONG, RESULT)
            .uid("tumbling");
    for (DataStream<Tuple2<Long, Long>> each : others) {
      results = results.union(each);
    }
    return results.keyBy(result -> result.f0, Types.LONG).process(new Totals()).uid("totals").returns(Types.LONG);
  }

  private static Duration millis(long time) {
    return Duration.ofMillis(time);
  }

  private static KeyedStream<Long, Long> keyed(DataStream<Long> events) {
    return events.keyBy(Windows::key, Types.LONG);
  }

  static long key(long event) {
    return Math.floorMod(SpreadNumber.of(event), KEYS);
  }

  /** Returns a result, with a key that differs for each kind of window or join. */
  private static Tuple2<Long, Long> result(int kind, long key, long number) {
    return Tuple2.of(kind * 1000L + key, number);
  }

  private static Tuple2<Long, Long> pair(int kind, long left, long right) {
    return result(kind, key(left), pair(left, right));
  }

  static long pair(long left, long right) {
    return SpreadNumber.of(left * 31 + right);
  }

  static long inOrder(long before, long event) {
    return before * 31 + event;
  }

  static long window(long end, long content) {
    return SpreadNumber.of(end * 31 + content);
  }

  private static long end(Window window) {
    return window instanceof TimeWindow times ? SpreadNumber.of(times.getStart()) + times.getEnd() : 0;
  }

  private static final class Sum implements AggregateFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1;

    @Override
    public Long createAccumulator() {
      return 0L;
    }

    @Override
    public Long add(Long event, Long sum) {
      return sum + SpreadNumber.of(event);
    }

    @Override
    public Long getResult(Long sum) {
      return sum;
    }

    @Override
    public Long merge(Long one, Long other) {
      return one + other;
    }
  }

  private static final class InOrder<W extends Window>
      extends ProcessWindowFunction<Long, Tuple2<Long, Long>, Long, W> {
    private static final long serialVersionUID = 1;

    private final int kind;

    InOrder(int kind) {
      this.kind = kind;
    }

    @Override
    public void process(Long key, Context context, Iterable<Long> events, Collector<Tuple2<Long, Long>> out) {
      long content = 0;
      for (long event : events) {
        content = inOrder(content, event);
      }
      out.collect(result(kind, key, window(end(context.window()), content)));
    }
  }

  private static final class Sums extends ProcessWindowFunction<Long, Tuple2<Long, Long>, Long, TimeWindow> {
    private static final long serialVersionUID = 1;

    private final int kind;

    Sums(int kind) {
      this.kind = kind;
    }

    @Override
    public void process(Long key, Context context, Iterable<Long> events, Collector<Tuple2<Long, Long>> out) {
      long content = 0;
      for (long event : events) {
        content += SpreadNumber.of(event);
      }
      out.collect(result(kind, key, window(end(context.window()), content)));
    }
  }

  private static final class Pairs extends ProcessJoinFunction<Long, Long, Tuple2<Long, Long>> {
    private static final long serialVersionUID = 1;

    private final int kind;

    Pairs(int kind) {
      this.kind = kind;
    }

    @Override
    public void processElement(Long left, Long right, Context context, Collector<Tuple2<Long, Long>> out) {
      out.collect(pair(kind, left, right));
    }
  }

  /** A cross join, which stores both sides. */
  private static final class Matches extends KeyedCoProcessFunction<Long, Long, Long, Tuple2<Long, Long>> {
    private static final long serialVersionUID = 1;
    private static final int KIND = 9;

    private transient MapState<Long, Long> lefts;
    private transient MapState<Long, Long> rights;

    @Override
    public void open(OpenContext context) {
      lefts = getRuntimeContext().getMapState(new MapStateDescriptor<>("lefts", Types.LONG, Types.LONG));
      rights = getRuntimeContext().getMapState(new MapStateDescriptor<>("rights", Types.LONG, Types.LONG));
    }

    @Override
    public void processElement1(Long left, Context context, Collector<Tuple2<Long, Long>> out) throws Exception {
      lefts.put(left, left);
      for (long right : rights.keys()) {
        out.collect(pair(KIND, left, right));
      }
    }

    @Override
    public void processElement2(Long right, Context context, Collector<Tuple2<Long, Long>> out) throws Exception {
      rights.put(right, right);
      for (long left : lefts.values()) {
        out.collect(pair(KIND, left, right));
      }
    }
  }
}
