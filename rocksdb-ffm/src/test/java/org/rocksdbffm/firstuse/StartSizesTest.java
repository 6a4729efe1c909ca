/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.loader.NativeLibrary;
import org.rocksdbffm.tools.ChildJvm;

/**
 * Tests that a start loads, makes and links at most what {@code start-sizes.txt} says. Unlike times, counts hardly
 * vary, and most of a start's time goes into classes that the JVM loads or makes.
 */
final class StartSizesTest {
  /** The allowed factor above the expected count, because JDK versions and timing of threads vary. */
  private static final double SPREAD = 1.05;

  /** The factor below which the expected count is out of date. */
  private static final double GAIN = 0.95;

  @Test
  void aStartLoadsMakesAndLinksNoMoreThanTheFileSays() throws IOException {
    Map<String, Long> most = new LinkedHashMap<>();
    resource().lines().filter(line -> line.matches("[\\w.]+ \\d+")).forEach(line -> {
      String[] words = line.split(" ");
      most.put(words[0], Long.parseLong(words[1]));
    });
    Map<String, Long> found = new LinkedHashMap<>();
    count("floor", loads(FloorProgram.class, NativeLibrary.engine().toString()), found);
    count("start", loads(StartProgram.class), found);
    assertEquals(most.keySet(), found.keySet());
    List<String> other = new ArrayList<>();
    found.forEach((name, count) -> {
      if (count > most.get(name) * SPREAD) {
        other.add(name + " is " + count + ": keep classes, lambdas and signatures off the way to the first value");
      } else if (count < most.get(name) * GAIN) {
        other.add(name + " is " + count + ": write this into start-sizes.txt");
      }
    });
    assertEquals(List.of(), other);
  }

  /** Returns the lines of the JVM's log that name a loaded class. */
  private static List<String> loads(Class<?> program, String... arguments) {
    String output = ChildJvm.of(program).with("-Xlog:class+load:stdout:none").run(arguments).assertExit(0).output();
    Assumptions.assumeTrue(output.contains("source: shared objects file"), "this JDK has no archive of its classes");
    return output.lines().filter(line -> line.contains(" source: ")).toList();
  }

  private static void count(String program, List<String> loads, Map<String, Long> counts) {
    counts.put(program + ".classes", (long) loads.size());
    counts.put(program + ".unarchived", loads.stream().filter(line -> !line.contains("shared objects file")).count());
    counts.put(program + ".own", matching(loads, "org[.]rocksdbffm[.][^/]*"));
    counts.put(program + ".hidden", matching(loads, ".*/0x.*"));
    counts.put(program + ".lambdas", matching(loads, ".*[$][$]Lambda/0x.*"));
    counts.put(program + ".forms", matching(loads, "java[.]lang[.]invoke[.]LambdaForm[$].*/0x.*"));
    counts.put(program + ".signatures", matching(loads, "jdk[.]internal[.]foreign[.]abi[.]DowncallStub/.*"));
    counts.put(program + ".upcalls", matching(loads, "jdk[.]internal[.]foreign[.]abi[.]UpcallStub/.*"));
  }

  private static long matching(List<String> loads, String name) {
    return loads.stream().map(line -> line.replaceFirst(" source: .*", "")).filter(load -> load.matches(name)).count();
  }

  private static String resource() throws IOException {
    try (InputStream file = StartSizesTest.class.getResourceAsStream("start-sizes.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
