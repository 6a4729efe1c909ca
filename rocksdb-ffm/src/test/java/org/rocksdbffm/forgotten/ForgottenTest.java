/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that an object that was never closed is reported once and reclaimed, each case in a separate JVM. */
final class ForgottenTest {
  private static List<String> warnings(String output) {
    return output.lines().filter(line -> line.contains(" was never closed")).toList();
  }

  private static String outputOf(String level, String what) {
    String output =
        ChildJvm.of(ForgottenCases.class)
            .with("-Dorg.rocksdbffm.leaks=" + level, "-Duser.language=en")
            .run(what)
            .assertExit(0)
            .output();
    assertTrue(output.contains("all is reclaimed"), output);
    return output;
  }

  @ParameterizedTest
  @CsvSource({
    "database, 'database /'",
    "endedThread, 'database /'",
    "cursor, 'cursor over column family ''default'' of database /'",
    "scanOfEndedThread, 'scan over column family ''default'' of database /'",
    "scan, 'scan over column family ''default'' of database /'",
    "snapshot, 'snapshot of database /'",
    "cache, 'LRU cache'",
    "tableWriter, 'table file /'",
    "export, 'export /'",
    "pause, 'pause of the background work of database /'",
    "hold, 'hold of the files of database /'",
    "pinned, 'pinned value of column family ''default'' of database /'",
    "pinnedValues, 'multi-get of database /'"
  })
  void atLevelAllItIsNamedWithThePlaceWhereItWasCreated(String what, String name) {
    String output = outputOf("all", what);
    List<String> warnings = warnings(output);
    assertEquals(1, warnings.size(), output);
    assertTrue(warnings.get(0).contains("WARNING: " + name), output);
    List<String> frames =
        output.lines().dropWhile(line -> !line.endsWith(" was created here")).skip(1).limit(2).toList();
    assertTrue(frames.getFirst().matches("\\sat .*org\\.rocksdbffm\\.[A-Z].*"), output); // the public method
    assertTrue(frames.getLast().contains("org.rocksdbffm.forgotten.ForgottenCases."), output); // the program's
  }

  @ParameterizedTest
  @CsvSource({"database", "cursor", "scan", "snapshot", "cache", "memoryBudget", "rateLimiter", "sstFileManager"})
  void bySampleAllButPinsAreReportedAndWhereToLook(String what) {
    String output = outputOf("sampled", what);
    assertEquals(1, warnings(output).size(), output);
    assertTrue(
        output.contains("To see where it was created, start the JVM with -Dorg.rocksdbffm.leaks=all.")
            || output.contains("was created here"),
        output);
  }

  @Test
  void manyOfOnePlaceAreToldOnceAndThenCounted() {
    for (String level : List.of("sampled", "all")) {
      String output = outputOf(level, "many");
      List<String> warnings = warnings(output);
      // With sampling there are two kinds: objects with a recorded place of creation, and objects without.
      assertTrue(warnings.size() >= 1 && warnings.size() <= 2, output);
      Matcher more = Pattern.compile(": (\\d+) more were never closed, ").matcher(output);
      long counted = warnings.size() + more.results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
      assertEquals(1000, counted, output);
      assertTrue(output.contains("was created here"), output);
      assertTrue(output.lines().count() < 200, output);
    }
  }

  @Test
  void whatIsClosedKeepsNothingThatWasMadeBesideIt() {
    outputOf("all", "keptClosed");
  }

  @Test
  void whoForgetsFasterThanCanBeReclaimedIsHeldUp() {
    String output = outputOf("off", "fast");
    long most = Long.parseLong(output.replaceAll("(?s).*most alive: (\\d+)\n.*", "$1"));
    // An iterator counts as 24 KiB, and 64 MiB of unreachable iterators may wait, that is 2796. If the reclaimer cannot
    // run, the limit doubles repeatedly; 40,000 iterators are created.
    assertTrue(most < 8L * (64 << 20) / (24 << 10), output);
  }

  @ParameterizedTest
  @CsvSource({"database", "cursor", "scan", "snapshot", "cache", "memoryBudget", "rateLimiter", "sstFileManager"})
  void atLevelOffItIsReclaimedWithoutAWord(String what) {
    String output = outputOf("off", what);
    assertEquals(List.of(), warnings(output), output);
  }

  @Test
  void whatIsClosedIsNotReported() {
    String output = outputOf("all", "nothing");
    assertEquals(List.of(), warnings(output), output);
  }

  @Test
  void whoClosesEverythingIsNotHeldUpForTheCollector() {
    String output =
        ChildJvm.of(ForgottenCases.class).with("-Xlog:gc", "-Xmx256m").run("closed").assertExit(0).output();
    String untilClosed = output.substring(0, output.indexOf("all is closed"));
    assertFalse(untilClosed.contains("System.gc()"), untilClosed);
    assertEquals(List.of(), warnings(output), output);
  }

  @Test
  void aDatabaseInUseThroughAnythingOfItIsNotForgotten() {
    String output = outputOf("all", "used");
    assertTrue(output.indexOf("used all the time") >= 0, output);
    assertTrue(
        !output.contains(" was never closed")
        || output.indexOf("used all the time") < output.indexOf(" was never closed"),
        output);
  }

  @Test
  void aRowInViewOutlivesItsForgottenCursor() {
    String output = outputOf("all", "row");
    assertEquals(1, warnings(output).size(), output);
  }
}
