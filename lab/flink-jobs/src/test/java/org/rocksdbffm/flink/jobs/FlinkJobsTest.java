/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.clients.Program;
import org.rocksdbffm.clients.Turn;

/**
 * Tests that jobs of Flink have the same results on Flink's fork of rocksdbjni and on rocksdb-ffm, and can start from
 * savepoints that the other library wrote.
 */
class FlinkJobsTest {
  private static final int SECONDS = 600;
  static final List<String> FLAGS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED");

  @TempDir Path folder;

  @Test
  void jobsEndAlikeOnBothAndGoOnFromTheSavepointsOfTheOther() throws IOException {
    Program jobs =
        new Program("org.rocksdbffm.flink.jobs.FlinkJobs", System.getProperty("jobs.class.path"), FLAGS, SECONDS);
    Path fork = folder.resolve("fork");
    Path ours = folder.resolve("ours");
    List<String> expected = jobs.answers(Turn.ROCKSDBJNI, fork, "frocksdbjni");
    expected.forEach(System.out::println);
    assertEquals(expected, jobs.answers(Turn.DROP_IN, ours, "rocksdb-ffm-compat"));
    Set<String> ends =
        Set.copyOf(jobs.answers(Turn.DROP_IN, folder.resolve("after fork"), "rocksdb-ffm-compat", fork.toString()));
    assertEquals(4, ends.size());
    assertTrue(expected.containsAll(ends), () -> "after the fork's savepoints: " + ends);
    assertEquals(ends,
        Set.copyOf(jobs.answers(Turn.ROCKSDBJNI, folder.resolve("after ours"), "frocksdbjni", ours.toString())));
  }
}
