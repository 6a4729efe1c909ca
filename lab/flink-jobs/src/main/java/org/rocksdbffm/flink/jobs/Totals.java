/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Counts and adds the numbers of each key, and outputs the count and the sum at the end. */
final class Totals extends KeyedProcessFunction<Long, Tuple2<Long, Long>, Long> implements CheckpointListener {
  private static final long serialVersionUID = 1;

  private transient ValueState<Long> count;
  private transient ValueState<Long> sum;

  @Override
  public void open(OpenContext context) {
    count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
    sum = getRuntimeContext().getState(new ValueStateDescriptor<>("sum", Types.LONG));
  }

  @Override
  public void processElement(Tuple2<Long, Long> result, Context context, Collector<Long> out) throws Exception {
    JobProgress.came(result.f1);
    if (count.value() == null) {
      count.update(0L);
      sum.update(0L);
      context.timerService().registerEventTimeTimer(KeyedStates.AT_THE_END);
    }
    count.update(count.value() + 1);
    sum.update(sum.value() + result.f1);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out) throws Exception {
    JobProgress.result(context.getCurrentKey(), count.value() + " " + sum.value());
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
      JobProgress.CHECKPOINTS.incrementAndGet();
    }
  }
}
