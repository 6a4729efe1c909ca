/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataPlace;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.WriteLoop;

@Timeout(300)
class LatencyBenchmarkTest {
  private static LatencyBenchmark.Loaded opened(String engine) throws Exception {
    LatencyBenchmark.Loaded loaded = new LatencyBenchmark.Loaded();
    loaded.engine = engine;
    loaded.valueSize = 4096;
    loaded.dataMiB = 1;
    loaded.place = DataPlace.CACHE;
    loaded.writes = true;
    loaded.open();
    return loaded;
  }

  private static long written(LatencyBenchmark.Loaded loaded) {
    return loaded.binding().sequenceNumbers(1);
  }

  private static void awaitWrites(LatencyBenchmark.Loaded loaded, long more) throws InterruptedException {
    long enough = written(loaded) + more;
    while (written(loaded) < enough) {
      Thread.sleep(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Binding.NATIVE, Binding.JNI, Binding.FFM})
  void inTheTurnsOfOthersNothingIsWritten(String engine) throws Exception {
    LatencyBenchmark.Loaded loaded = opened(engine);
    try {
      for (int turn = 0; turn < 3; turn++) {
        loaded.beginWrites();
        awaitWrites(loaded, 100);
        loaded.endWrites();
        long before = written(loaded);
        Thread.sleep(50);
        assertEquals(before, written(loaded));
      }
    } finally {
      loaded.close();
    }
  }

  @Test
  void inEveryTurnSomethingIsWrittenHoweverShortItIs() throws Exception {
    LatencyBenchmark.Loaded loaded = opened(Binding.FFM);
    try {
      for (int turn = 0; turn < 100; turn++) {
        long before = written(loaded);
        loaded.beginWrites();
        loaded.endWrites();
        assertTrue(written(loaded) > before);
      }
    } finally {
      loaded.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Binding.NATIVE, Binding.JNI, Binding.FFM})
  void aTurnEndsWhenTheFullMemtableIsWritten(String engine) throws Exception {
    LatencyBenchmark.Loaded loaded = opened(engine);
    try {
      WriteLoop more = loaded.binding().writes(new KeyCycle(loaded.data().shuffledMissingKeys()), new byte[1 << 20], 1);
      loaded.beginWrites();
      boolean seenFull = false;
      for (int mebibytes = 0; mebibytes < 1000 && !seenFull; mebibytes++) {
        more.put();
        seenFull = loaded.binding().fullMemtables() > 0;
      }
      more.close();
      assertTrue(seenFull);
      loaded.endWrites();
      assertEquals(0, loaded.binding().fullMemtables());
    } finally {
      loaded.close();
    }
  }

  @Test
  void aTurnInWhichNothingCouldBeWrittenFails() throws Exception {
    LatencyBenchmark.Loaded loaded = opened(Binding.FFM);
    loaded.binding().close();
    loaded.beginWrites();
    assertThrows(ExecutionException.class, loaded::endWrites);
    loaded.close();
  }
}
