/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;
import org.rocksdbffm.jmh.run.report.Machine;

class ProgramFileTest {
  @TempDir Path folder;

  private static ProgramRun run(double seconds, double cpuSeconds) {
    return new ProgramRun(new ProcessFigures(1000, 0, 0, 2_000, 5_000, 64_000, 1500, 2048, 7), seconds, cpuSeconds);
  }

  private static ProgramResult result(double... seconds) {
    List<ProgramRun> jni = List.of(run(1, 2), run(1, 2), run(1, 2));
    List<ProgramRun> runs = List.of(run(seconds[0], 3), run(seconds[1], 3), run(seconds[2], 3));
    return ProgramResult.of("ledger", RunMode.SHORT, "compat", runs, jni);
  }

  @Test
  void aResultIsOfMediansAndRatiosOfTurns() {
    ProgramResult result = result(2, 4, 1);
    assertEquals(500, result.perSecond());
    assertEquals(0.5, result.vsJni());
    assertEquals(0.25, result.vsJniLow());
    assertEquals(1, result.vsJniHigh());
    assertEquals(1.5, result.cpuVsJni());
    assertEquals(3000, result.cpuMicros());
    assertEquals(2, result.p99Micros());
    assertEquals(64, result.bytesPerStep());
    assertEquals(1.5, result.compileSeconds());
    assertEquals(2, result.peakMib());
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    ProgramFile file = new ProgramFile(folder.resolve("results.json"));
    ProgramFile.Content content =
        new ProgramFile.Content(Machine.ofThis("./bench programs", 3), List.of(result(1, 1, 1), result(2, 2, 2)));
    file.write(content);
    assertEquals(content, file.read());
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path other = Files.writeString(folder.resolve("other.json"), "[1, 2]");
    assertThrows(IOException.class, () -> new ProgramFile(other).read());
  }

  @Test
  void onlyChangesBeyondBothSpreadsAreTold() {
    String nothing = new ProgramComparison(List.of(result(1, 2, 3)), List.of(result(2, 3, 4))).text();
    assertTrue(nothing.startsWith("Nothing changed"), nothing);
    String slower = new ProgramComparison(List.of(result(1, 1, 1)), List.of(result(2, 2, 2))).text();
    assertEquals("slower: ledger, short, compat: 0.50x of jni, was 1.00x\n", slower);
    String faster = new ProgramComparison(List.of(result(2, 2, 2)), List.of(result(1, 1, 1))).text();
    assertEquals("faster: ledger, short, compat: 1.00x of jni, was 0.50x\n", faster);
  }
}
