/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;

/** The part of a job between its source, whose events are their own timestamps, and its sink. */
@FunctionalInterface
interface Topology {
  DataStream<?> of(DataStream<Long> events);

  static Topology keyed(int keys, KeyedProcessFunction<Long, Long, Long> code) {
    return events -> events.keyBy(event -> event % keys, Types.LONG).process(code).uid("states").returns(Types.LONG);
  }
}
