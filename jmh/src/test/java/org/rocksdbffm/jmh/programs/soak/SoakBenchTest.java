/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.jmh.run.plan.Engine;

class SoakBenchTest {
  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"JNI", "FFM"})
  void eachMinuteIsTold(Engine engine) throws Exception {
    List<SoakMinute> minutes = SoakBench.run(engine, 3, 1);
    assertEquals(3, minutes.size());
    for (SoakMinute minute : minutes) {
      assertTrue(minute.perSecond() > 0 && minute.p99Micros() > 0
          && minute.p999Micros() >= minute.p99Micros(), minute::text);
    }
  }

  @Test
  void theLastMinutesAreComparedWithTheFirst() {
    List<SoakMinute> minutes =
        List.of(
            new SoakMinute(100, 10, 20, 1000), new SoakMinute(100, 10, 20, 1000), new SoakMinute(90, 20, 20, 1500));
    assertEquals("growth 0.90x 2.00x 1.00x 1.50x", SoakBench.summary(minutes).strip().replaceAll(" +", " "));
  }
}
