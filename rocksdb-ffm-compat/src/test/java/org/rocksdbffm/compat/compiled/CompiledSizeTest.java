/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.compiled;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/**
 * Tests that programs have no more code to compile than {@code compiled-sizes.txt} says. In the first seconds of a program
 * the compilers take more time than the calls: code that is inlined where a call is made is compiled again at each place.
 */
final class CompiledSizeTest {
  /** How much more a run may have: profiles differ a little. */
  private static final double SPREAD = 1.1;

  /** How much less a run has before the file is out of date. */
  private static final double GAIN = 0.8;

  @TempDir Path folder;

  @Test
  void programsInlineNoMoreThanTheFileSays() throws IOException {
    Map<String, Long> most = sizes(resource());
    Map<String, Long> found = sizes(ChildJvm.run(folder, CallSites.class, List.of("-Xbatch", "-XX:+UseSerialGC")));
    assertEquals(most.keySet(), found.keySet());
    List<String> other = new ArrayList<>();
    found.forEach((site, bytes) -> {
      if (bytes > most.get(site) * SPREAD) {
        other.add(site + " inlines " + bytes + " bytes: move what a caller need not have behind a call (CompiledApart)");
      } else if (bytes < most.get(site) * GAIN) {
        other.add(site + " inlines " + bytes + " bytes: write this into compiled-sizes.txt");
      }
    });
    assertEquals(List.of(), other);
  }

  private static Map<String, Long> sizes(String text) {
    return text.lines()
        .filter(line -> line.matches("\\w+ \\d+"))
        .map(line -> line.split(" "))
        .collect(toMap(words -> words[0], words -> Long.parseLong(words[1]), (a, b) -> b, LinkedHashMap::new));
  }

  private static String resource() throws IOException {
    try (InputStream file = CompiledSizeTest.class.getResourceAsStream("compiled-sizes.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
