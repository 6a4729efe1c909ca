/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Adds each event to state of every kind, and outputs the state of each key at the end. */
final class KeyedStates extends KeyedProcessFunction<Long, Long, Long> implements CheckpointListener {
  private static final long serialVersionUID = 1;
  static final long AT_THE_END = Long.MAX_VALUE - 1;

  private final Long fifth;

  private transient ValueState<Long> count;
  private transient ListState<String> list;
  private transient MapState<String, Long> map;
  private transient ReducingState<Long> sum;
  private transient AggregatingState<Long, String> longest;
  private transient ValueState<Long> timers;

  /**
   * Creates the function.
   *
   * @param fifth the map value of each fifth event: null, which Flink's changelog does not support, or a number
   */
  KeyedStates(Long fifth) {
    this.fifth = fifth;
  }

  @Override
  public void open(OpenContext context) {
    count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
    list = getRuntimeContext().getListState(new ListStateDescriptor<>("list", Types.STRING));
    map = getRuntimeContext().getMapState(new MapStateDescriptor<>("map", Types.STRING, Types.LONG));
    sum = getRuntimeContext().getReducingState(new ReducingStateDescriptor<>("sum", Long::sum, Types.LONG));
    longest =
        getRuntimeContext()
            .getAggregatingState(new AggregatingStateDescriptor<>("longest", new Longest(), Types.STRING));
    timers = getRuntimeContext().getState(new ValueStateDescriptor<>("timers", Types.LONG));
  }

  @Override
  public void processElement(Long event, Context context, Collector<Long> out) throws Exception {
    JobProgress.came(event);
    long before = count.value() == null ? 0 : count.value();
    count.update(before + 1);
    list.add("event " + event);
    if (before % 7 == 6) {
      list.update(List.of("event " + event, "again"));
    }
    if (before % 29 == 28) {
      list.clear();
    }
    map.put("place " + event % 13, event % 5 == 0 ? fifth : event);
    map.remove("place " + event % 11);
    sum.add(event);
    longest.add(event);
    context.timerService().registerEventTimeTimer(event - event % 10 + 100);
    context.timerService().registerEventTimeTimer(event + 1000);
    context.timerService().deleteEventTimeTimer(event + 1000 - event % 3);
    context.timerService().registerEventTimeTimer(AT_THE_END);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out) throws Exception {
    if (timestamp != AT_THE_END) {
      timers.update((timers.value() == null ? 0 : timers.value()) + timestamp * 17 + 1);
      return;
    }
    List<String> elements = new ArrayList<>();
    Iterable<String> kept = list.get();
    if (kept != null) {
      kept.forEach(elements::add);
    }
    List<String> entries = new ArrayList<>();
    for (Map.Entry<String, Long> entry : map.entries()) {
      entries.add(entry.getKey() + "=" + entry.getValue());
    }
    JobProgress.result(
        context.getCurrentKey(),
        count.value() + " " + elements + " " + entries + " " + sum.get() + " " + longest.get() + " " + timers.value());
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
      JobProgress.CHECKPOINTS.incrementAndGet();
    }
  }

  /** Keeps the greatest text. */
  private static final class Longest implements AggregateFunction<Long, String, String> {
    private static final long serialVersionUID = 1;

    @Override
    public String createAccumulator() {
      return "";
    }

    @Override
    public String add(Long event, String before) {
      return merge("event " + event, before);
    }

    @Override
    public String getResult(String last) {
      return last;
    }

    @Override
    public String merge(String a, String b) {
      return a.compareTo(b) > 0 ? a : b;
    }
  }
}
