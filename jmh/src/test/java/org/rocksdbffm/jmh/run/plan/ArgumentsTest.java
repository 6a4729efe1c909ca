/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.run.Bench;

class ArgumentsTest {
  @TempDir private Path folder;

  @Test
  void nothingAsksForTheHeadlineSet() throws Exception {
    BenchArguments arguments = BenchArguments.parse();
    assertEquals(List.of(), arguments.groups());
    assertEquals(Pace.HEADLINE, arguments.pace());
  }

  @Test
  void everyOptionIsUnderstood() throws Exception {
    Path old = Files.createFile(folder.resolve("old.json"));
    Path json = folder.resolve("new.json");
    BenchArguments arguments =
        BenchArguments.parse(
            ("get --quick --sizes 4096,100 --threads 8 --json " + json + " --compare " + old).split(" "));
    BenchArguments expected =
        new BenchArguments(List.of(Group.GET), List.of(), true, List.of(100, 4096), List.of(8), json, old);
    assertEquals(expected, arguments);
    assertEquals(Pace.QUICK, arguments.pace());
    assertEquals("./bench get --quick --sizes 100,4096 --threads 8", arguments.command());
    assertEquals("./bench all", BenchArguments.parse("all", "--json", json.toString()).command());
    assertEquals(List.of(Group.values()), BenchArguments.parse("all").groups());
    assertEquals(Pace.FULL, BenchArguments.parse("scan").pace());
  }

  @Test
  void rowsOfAGroupAreNamed() throws Exception {
    BenchArguments arguments =
        BenchArguments.parse("get", "--row", "array, statistics", "--row", "array", "--row", "array");
    assertEquals(List.of("array, statistics", "array"), arguments.rows());
    assertEquals("./bench get --row 'array, statistics' --row 'array'", arguments.command());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gets | There is no group gets",
        "--fast | There is no option --fast",
        "--row array | --row needs a group, as in ./bench get --row array",
        "startup --row array | --row: there is no 'array' but start; open and close",
        "--sizes | --sizes needs an argument",
        "--sizes --quick | --sizes needs an argument",
        "--sizes 1,x | --sizes: 'x' is not a number",
        "--sizes 1,,2 | --sizes: '' is not a number",
        "--sizes 0 | --sizes: 0, but it takes 1 to 67108864",
        "--threads -1 | --threads: -1, but it takes 1 to 1024",
        "--json /nowhere/at/all.json | --json: no file can be written at /nowhere/at/all.json",
        "--json / | --json: no file can be written at /",
        "--compare /nowhere.json | --compare: there is no file /nowhere.json"
      })
  void aMistakeIsNamed(String line, String message) {
    CommandLine.Mistake mistake = assertThrows(CommandLine.Mistake.class, () -> BenchArguments.parse(line.split(" ")));
    assertEquals(message, mistake.getMessage());
  }

  @Test
  void aMistakeEndsTheProgramWithAUsageLine() throws Exception {
    assertMistake("There is no group nonsense", "nonsense");
    Path old = Files.writeString(folder.resolve("old.json"), "{\"no\": \"results\"}");
    assertMistake("has no results of ./bench", "--compare", old.toString());
  }

  private static void assertMistake(String message, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).start();
    String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(2, process.waitFor());
    assertEquals(2, error.lines().count(), error);
    assertTrue(error.contains(message), error);
    assertTrue(error.endsWith(BenchArguments.USAGE + "\n"), error);
  }
}
