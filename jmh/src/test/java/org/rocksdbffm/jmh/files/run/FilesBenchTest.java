/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.files.store.FileStores;
import org.rocksdbffm.jmh.files.work.FileRow;
import org.rocksdbffm.jmh.process.Turns;
import org.rocksdbffm.jmh.run.plan.Engine;

/** Tests the command line of {@code ./bench files}, and its table. */
class FilesBenchTest {
  @Test
  void aCommandLineNamesRowsByTheirParts() throws Exception {
    FilesArguments some = FilesArguments.parse("sst", "tail-4096", "--forks", "3", "--quick");
    assertEquals(List.of(FileRow.SST_100, FileRow.SST_4096, FileRow.SST_4096_SYNCED, FileRow.TAIL_4096), some.rows());
    assertEquals(3, some.forks());
    assertEquals(128, some.mib(FileRow.FIRST_BACKUP));
    assertEquals(16, some.mib(FileRow.SST_100));
    FilesArguments all = FilesArguments.parse();
    assertEquals(List.of(FileRow.values()), all.rows());
    assertEquals(1024, all.mib(FileRow.CHECKPOINT));
  }

  @Test
  void aMistakeIsNamed() {
    assertEquals("There is no row ledger", mistake("ledger"));
    assertEquals("There is no option --slow", mistake("--slow"));
    assertEquals("--forks needs an argument", mistake("--forks"));
    assertEquals("--forks: 0, but it takes 1 to 1000", mistake("--forks", "0"));
  }

  private static String mistake(String... words) {
    return assertThrows(CommandLine.Mistake.class, () -> FilesArguments.parse(words)).getMessage();
  }

  @Test
  void ratiosAreTakenTurnByTurn() {
    List<FilesFigures> jni = List.of(figures(100), figures(400));
    List<FilesFigures> ffm = List.of(figures(200), figures(800));
    List<String> lines =
        FilesBench.lines(FileRow.SST_100, new Turns<>(Map.of(Engine.JNI, jni, Engine.FFM, ffm))).lines().toList();
    assertEquals("sst-100       jni         250.0 rows/s     100.0 to 400.0           1.00x (1.00 to 1.00)",
        lines.get(0));
    assertEquals("sst-100       ffm         500.0 rows/s     200.0 to 800.0           2.00x (2.00 to 2.00)",
        lines.get(1));
    assertEquals(2, lines.size());
  }

  private static FilesFigures figures(double aSecond) {
    return new FilesFigures(aSecond, 1_000_000_000, 3, 0);
  }

  @Test
  void workIsDoneForAsLongAsItShall(@TempDir Path folder) throws Exception {
    FilesFigures figures = FilesProcess.measure(FileRow.SST_4096.work(FileStores.FFM, folder, 1), 0, 0.1);
    assertTrue(figures.nanos() >= 100_000_000 && figures.runs() >= 3, figures.toString());
    assertEquals(figures.runs() * 255.0, figures.units()); // as many rows as 1 MiB has
  }
}
