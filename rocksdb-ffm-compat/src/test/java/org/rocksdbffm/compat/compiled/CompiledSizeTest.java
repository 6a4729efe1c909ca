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
 * Tests that the compilers process at most the bytecode sizes in {@code compiled-sizes.txt}. In the first seconds of a
 * program, compilation takes more time than the calls: code that is inlined into callers is compiled again for each
 * caller.
 */
final class CompiledSizeTest {
  /** The allowed factor above the expected size, because profiles vary. */
  private static final double SPREAD = 1.1;

  /** The factor below which the expected size is out of date. */
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
        other.add(site + " inlines " + bytes
            + " bytes: move what a caller need not have behind a call (CompiledApart)");
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
