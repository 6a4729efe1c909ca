/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.run.plan.Engine;

class ResultFileTest {
  @TempDir private Path folder;

  @Test
  void whatWasWrittenIsReadAgain() throws Exception {
    ResultFile file = new ResultFile(folder.resolve("results.json"));
    List<Result> results = List.of(Samples.result("array", Engine.FFM, 1, 2, 3));
    Machine machine = Machine.ofThis("./bench get", 3);
    file.write(results, machine);
    assertEquals(results, file.read());
    assertEquals(machine, file.readMachine());
  }

  @Test
  void theFileIsAnArrayOfObjectsWithTheseFieldsAndNoOthers() throws Exception {
    ResultFile file = new ResultFile(folder.resolve("results.json"));
    file.write(List.of(Samples.result("array", Engine.JNI, 1, 2, 3)), Machine.ofThis("./bench", 1));
    JsonNode array = new ObjectMapper().readTree(file.path().toFile());
    assertTrue(array.isArray());
    List<String> fields = new ArrayList<>();
    array.get(0).fieldNames().forEachRemaining(fields::add);
    assertEquals(
        List.of(
            "group", "row", "size", "threads", "engine", "ns", "nsLow", "nsHigh", "bytesPerOp", "vsJni", "vsJniLow",
            "vsJniHigh", "vsNative"),
        fields);
  }

  @Test
  void onlyWhatGotSlowerBeyondBothSpreadsIsCalledSo() {
    List<Result> old =
        List.of(
            Samples.result("array", Engine.FFM, 90, 100, 110),
            Samples.result("pinned", Engine.FFM, 90, 100, 110),
            Samples.result("callback", Engine.FFM, 90, 100, 110),
            Samples.result("view", Engine.FFM, 90, 100, 101));
    List<Result> now =
        List.of(
            Samples.result("array", Engine.FFM, 111, 120, 130),
            Samples.result("pinned", Engine.FFM, 109, 120, 130),
            Samples.result("callback", Engine.FFM, 40, 50, 60),
            Samples.result("view", Engine.FFM, 102, 103, 104),
            Samples.result("new", Engine.FFM, 1, 1, 1));
    RunComparison comparison = new RunComparison(old, now);
    assertEquals(1, comparison.slower());
    String text = comparison.toString();
    assertTrue(text.contains("slower: get, array, 100 B, ffm: 120 ns (111 to 130), was 100 ns (90.0 to 110)"), text);
    assertTrue(text.contains("faster: get, callback"), text);
    assertFalse(text.contains("pinned"), text);
    assertTrue(text.contains("1 of 4 figures got slower"), text);
  }

  @Test
  void theTableTellsWhatIsNotToldApart() {
    Result close = new Result("get", "array", 100, 1, "ffm", 10, 9, 12, 0.0, 1.05, 0.9, 1.2, 0.97);
    String table = new ResultTable(List.of(Samples.result("array", Engine.JNI, 10, 11, 12), close)).text();
    assertTrue(table.contains("1.05x (0.90x to 1.20x) not told apart"), table);
    assertTrue(table.contains("0.97x"), table);
  }
}
