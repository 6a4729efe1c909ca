/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.reports.PerfCounter;

/** Tests that the counters equal the counters of the engine's report, and how the report is parsed. */
class PerfCounterTest {
  @Test
  void theCountersAreAllThatTheEngineReports() {
    NativeLibrary.load();
    MemorySegment context = RocksDbC.rocksdb_perfcontext_create();
    MemorySegment text = RocksDbC.rocksdb_perfcontext_report(context, (byte) 0);
    TreeSet<String> reported = new TreeSet<>(ThreadCounts.parse(Memory.string(text.address())).keySet());
    RocksDbC.rocksdb_free(text);
    RocksDbC.rocksdb_perfcontext_destroy(context);
    assertEquals(
        Arrays.stream(PerfCounter.values()).map(PerfCounter::id).collect(Collectors.toCollection(TreeSet::new)),
        reported);
  }

  @Test
  void countsOfALevelAreLeftOut() {
    assertEquals(
        Map.of("a_count", 7L, "b_time", 8L),
        ThreadCounts.parse("a_count = 7, b_time = 8, bloom_filter_useful = 9@level0, 3@level1, x = , y"));
    assertEquals(Map.of(), ThreadCounts.parse(""));
  }
}
