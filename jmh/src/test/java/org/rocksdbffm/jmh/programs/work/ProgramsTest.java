/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.Stores;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** Tests that programs read the same values on all engines, and that a different value changes the checksum. */
class ProgramsTest {
  private static final int STEPS = 3000; // enough steps for a Raft log to drop its first entries
  private static final int SCANS = 3;

  private static List<Long> sums(String engine, String name, int steps) throws Exception {
    StoreProgram program = Programs.named(name);
    try (TemporaryFolder folder = TemporaryFolder.create();
        ProgramStore store = Stores.open(engine, folder.path(), program.kind(), program.families())) {
      program.prepare(store);
      List<Long> sums = new ArrayList<>();
      for (int thread = 0; thread < program.threads(); thread++) {
        StoreProgram.Work work = program.work(store, thread);
        for (int step = 0; step < steps; step++) {
          sums.add(work.step());
        }
      }
      return sums;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Programs.RAFT_LOG,
        Programs.LEDGER,
        Programs.WORKFLOW_ENGINE,
        Programs.UPSERTS,
        Programs.SHORT_ITERATORS,
        Programs.SEEK_AND_CLOSE,
        Programs.TWENTY_CALL_SITES,
        Programs.READERS_AND_WRITER
      })
  void eachStepReadsTheSameOnBothEngines(String name) throws Exception {
    List<Long> jni = sums(Stores.JNI, name, STEPS);
    assertEquals(jni, sums(Stores.FFM, name, STEPS));
    assertNotEquals(1, jni.stream().distinct().count(), "all steps have read the same");
  }

  @ParameterizedTest
  @ValueSource(strings = {Programs.SCANS_FORWARD, Programs.SCANS_BACKWARD})
  void scansReadTheSameOnBothEngines(String name) throws Exception {
    assertEquals(sums(Stores.JNI, name, SCANS), sums(Stores.FFM, name, SCANS));
  }

  @Test
  void anUnknownProgramIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Programs.named("solitaire"));
  }
}
