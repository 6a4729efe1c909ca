/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drop-in accepts the values of each setting that rocksdbjni accepts, and then returns the same entries, which are
 * the entries written. One case in 60 runs here; {@code .ci/sweeps} runs all, in half an hour.
 */
class SweepTest {
  private static final long LIMIT_MILLIS = 60_000;
  private static final String STEP = System.getProperty("rocksdbffm.sweep") == null ? "60" : "1";
  private static final String NAMES = System.getProperty("rocksdbffm.sweep.names", ".");

  /** Entries depend on timing, or are wrong with rocksdbjni too; or both are slow, because a low rate is set. */
  private static final String BY_CHANCE = "CompactionOptionsFIFO\\.set.*|.*Rate(Limiter|Limit\\().*";

  /** Rows of refusals.txt with values that do harm only under load. */
  private static final String NEEDS_LOAD =
      ".*(etArenaBlockSize|etLevel(Zero|0)FileNumCompactionTrigger|etTargetFileSizeBase|arena_block_size|"
      + "target_file_size_base"
          + "|level0_file_num_compaction_trigger|etNumStripes|optimizeLevelStyleCompaction|MemTableConfig.setHeight).*";

  /** Settings with which the engine may drop entries. */
  private static final String MAY_LOSE_ROWS =
      "CompactionOptionsFIFO\\.set.*|.*(COMPACTION_STYLE_FIFO|kCompactionStyleFIFO).*";

  @TempDir Path folder;

  @Test
  void theDropInTakesWhatRocksdbjniTakes() throws Exception {
    Map<String, String> expected;
    Map<String, String> actual;
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<Map<String, String>> upstream =
          pool.submit(() -> SweepRun.ofRocksdbjni(LIMIT_MILLIS).outcomes(folder, SweepProgram.class, NAMES, STEP));
      Future<Map<String, String>> dropIn =
          pool.submit(() ->
              SweepRun.ofDropIn(List.of(), LIMIT_MILLIS).outcomes(folder, SweepProgram.class, NAMES, STEP));
      expected = upstream.get();
      actual = dropIn.get();
    }
    Map<String, String> different = new TreeMap<>();
    expected.forEach((name, outcome) -> {
      if (isWrong(actual.get(name)) && !name.matches(MAY_LOSE_ROWS)) {
        different.put(name, "drop-in: " + actual.get(name));
      }
      if (isDifferent(outcome, actual.get(name)) && !name.matches(BY_CHANCE)) {
        boolean isListed = actual.get(name).contains(" is rejected, because rocksdbjni with it ");
        if (!isListed || !name.matches(NEEDS_LOAD)) {
          different.put(name, "rocksdbjni: " + outcome + ", drop-in: " + actual.get(name));
        }
      }
    });
    assertEquals(Map.of(), different, () -> String.join("\n", different.values()));
  }

  /** Whether the drop-in accepts a value with which entries are lost, possibly as with rocksdbjni. */
  private static boolean isWrong(String dropIn) {
    return dropIn.contains(Scans.WRONG) || dropIn.contains(Workload.AGAIN);
  }

  /**
   * Whether outcomes differ. Messages of failures may differ. The drop-in must reject or survive values with which
   * rocksdbjni ends or hangs.
   */
  private static boolean isDifferent(String upstream, String dropIn) {
    boolean died = dropIn.startsWith(SweepRun.ENDS) || dropIn.equals(SweepRun.HANGS);
    boolean upstreamDied = upstream.startsWith(SweepRun.ENDS) || upstream.equals(SweepRun.HANGS);
    if (died || upstreamDied) {
      return died;
    }
    boolean bothFailed = upstream.startsWith(SweepProgram.THROWS) && dropIn.startsWith(SweepProgram.THROWS);
    return !bothFailed && !upstream.equals(dropIn);
  }
}
