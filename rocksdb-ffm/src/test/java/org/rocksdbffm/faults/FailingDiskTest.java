/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that a disk's errors are reported, nothing that was acknowledged is lost, and the process continues. */
@EnabledOnOs(OS.LINUX) // the failing disk is a preloaded library
final class FailingDiskTest {
  @TempDir static Path temporary;

  private static Path disk;

  @BeforeAll
  static void compile() throws Exception {
    disk = temporary.resolve("failing_disk.so");
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-O1", "-o", disk.toString(), "src/test/c/failing_disk.c", "-ldl")
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes());
    assertEquals(0, compiler.waitFor(), said);
  }

  private static void survives(String name) {
    ChildJvm.Finished finished =
        ChildJvm.of(FailingDiskCases.class)
            .launchedBy(
                "sh", "-c", "FAILING_DISK=$PWD/told LD_PRELOAD=" + disk + " exec \"$@\"", "sh")
            .run(name)
            .assertExit(0);
    assertTrue(finished.output().contains(name + " done"), finished.output());
  }

  @Test
  void aWriteThatFailsIsToldAndThoseBeforeItStay() {
    survives("writesFail");
  }

  @Test
  void aSyncThatFailsIsToldAndThoseBeforeItStay() {
    survives("syncsFail");
  }

  @Test
  void aReadThatFailsIsToldInEveryShapeAndTheNextOneGoesOn() {
    survives("readsFail");
  }

  @Test
  void aCompactionThatFailsIsToldAndLosesNothing() {
    survives("compactionFails");
  }

  @Test
  void anIngestionThatFailsIsToldAndLosesNothing() {
    survives("ingestionFails");
  }

  @Test
  void anIngestionThatIsNotSyncedLeavesTheDatabaseWhole() {
    survives("commitFails");
  }

  @Test
  void anIngestionIntoSeveralFamiliesThatIsNotSyncedIsInAllOfThemAfterwards() {
    survives("commitOfFamiliesFails");
  }

  @Test
  void aCompactionOfChosenFilesThatFailsIsToldAndLosesNothing() {
    survives("chosenCompactionFails");
  }

  @Test
  void aHoldThatFailsKeepsNoFiles() {
    survives("holdFails");
  }

  @Test
  void aRepairThatFailsIsToldAndCanBeTriedAgain() {
    survives("repairFails");
  }

  @Test
  void aCopyWhoseNameIsNotSyncedIsToldAndCanBeMadeAgain() {
    survives("copiesAreNotSynced");
  }

  @Test
  void aFlushThatFailsIsToldAndLosesNothing() {
    survives("flushFails");
  }
}
