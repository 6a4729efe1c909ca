/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.torture.dropin.steps.CallCase;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.Shape;
import org.rocksdbffm.torture.dropin.steps.Value;
import org.rocksdbffm.torture.runs.Shrinker;

/** JVMs survive {@link DropInTorture}. */
class DropInTortureTest {
  private static final Long SEED = Long.getLong("rocksdbffm.sweep");
  private static final Duration SHRINKING = Duration.ofSeconds(60);

  @Test
  void programsThatCallEveryMethodWronglyGetExceptions() throws Exception {
    assumeTrue(SEED != null, "it still finds what ends a JVM; .ci/sweeps runs it");
    DropInTorture torture = new DropInTorture(SEED, Duration.ofMinutes(5), SHRINKING);
    boolean survived = torture.run();
    System.out.println("seed " + SEED + ": " + torture.report());
    assertTrue(survived, () -> "seed " + SEED + "\n" + torture.report());
  }

  @Test
  void aChildThatDoesNotStartIsNoSuccess() {
    String java = System.setProperty("java.home", "/nowhere");
    try {
      DropInTorture torture = new DropInTorture(1, Duration.ofMinutes(5), SHRINKING);
      assertInstanceOf(UncheckedIOException.class, assertThrows(ExecutionException.class, torture::run).getCause());
    } finally {
      System.setProperty("java.home", java);
    }
  }

  private static CallCase someCase() {
    return new CallCase(
        List.of(
            new CallStep(0, 0, "Options()", List.of()),
            new CallStep(
                10,
                1,
                "X.y(...)",
                List.of(
                    new Value.Reference("0.c1"),
                    new Value.Null(),
                    new Value.Whole(Long.MIN_VALUE),
                    new Value.Real(Double.NaN),
                    new Value.Truth(true),
                    new Value.Constant("KB"),
                    new Value.Text("\0 \ud800\"\\,]}>", 3),
                    new Value.Bytes("00ff", 7),
                    new Value.Bytes("", 1),
                    new Value.Buffer(Shape.MAPPED_SLICE, 1, 2, 4, "aa"),
                    new Value.Many(List.of(new Value.Many(List.of()), new Value.Text("", 1), new Value.Null())),
                    new Value.Pairs(List.of(new Value.Text("a", 1), new Value.Whole(-1)))))));
  }

  @Test
  void aCaseIsReadAsItWasWritten() {
    assertEquals(someCase(), CallCase.of(someCase().toString().lines().toList()));
  }

  @Test
  void aFailingCaseIsShrunkToTheStepsThatMatter() {
    List<CallStep> steps =
        java.util.stream.IntStream.range(0, 500).mapToObj(i -> new CallStep(i % 3, i, "a" + i, List.of())).toList();
    List<CallStep> needed = List.of(steps.get(77), steps.get(333));
    CallCase smallest =
        new Shrinker<CallCase>(some -> some.steps().containsAll(needed), Duration.ofSeconds(30))
            .shrink(new CallCase(steps), CallCase::steps, (_, fewer) -> new CallCase(fewer));
    assertEquals(needed, smallest.steps());
  }
}
