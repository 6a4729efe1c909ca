/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.Sweeps;
import org.rocksdbffm.torture.runs.RunOutcome;
import org.rocksdbffm.torture.world.Step;

/** A JVM survives {@link Torture}. */
final class TortureTest {
  private static final int SECONDS = Sweeps.of(20, 300);

  /** With fewer operations in a run, a rare operation may never have succeeded. */
  private static final int ENOUGH_OPERATIONS = 60_000;

  @Test
  void hostileClientsGetRightAnswersOrDocumentedExceptions() throws Exception {
    long seed = Sweeps.seed();
    RunOutcome outcome = new Torture(seed, Duration.ofSeconds(SECONDS), Duration.ofSeconds(60)).run();
    assertTrue(outcome.survived(), () -> "seed " + seed + "\n" + outcome.report());
    System.out.println("seed " + seed + "\n" + outcome.report());
    String operations = outcome.report().lines().filter(line -> line.contains(" operations: ")).findFirst().get();
    if (Integer.parseInt(operations.strip().split(" ")[0]) >= ENOUGH_OPERATIONS) {
      String silent = outcome.report().lines().filter(line -> line.startsWith(TortureChild.SILENT)).findFirst().get();
      assertEquals(TortureChild.SILENT, silent.strip(), "each operation succeeds at times");
    }
  }

  @Test
  void aCaseIsWrittenDownAndReadAgain() throws Exception {
    Case some = Case.of(42);
    assertEquals(some, Case.of(42));
    java.nio.file.Path file = java.nio.file.Files.createTempFile("some", ".case");
    try {
      some.write(file);
      assertEquals(some, Case.read(file));
    } finally {
      java.nio.file.Files.delete(file);
    }
  }

  @Test
  void aFailingCaseIsShrunkToTheStepsThatMatter() {
    Step open = new Step("openCache", 7);
    Step close = new Step("closeCache", 8);
    List<List<Step>> clients = new java.util.ArrayList<>();
    for (int client = 0; client < 3; client++) {
      List<Step> steps = new java.util.ArrayList<>(java.util.Collections.nCopies(500, new Step("get", client)));
      clients.add(steps);
    }
    clients.get(0).set(77, open);
    clients.get(2).set(333, close);
    Case smallest =
        new Case(clients)
            .smallest(
                some -> some.clients().get(0).contains(open) && some.clients().get(2).contains(close),
                Duration.ofSeconds(30));
    assertEquals(new Case(List.of(List.of(open), List.of(), List.of(close))), smallest);
  }
}
