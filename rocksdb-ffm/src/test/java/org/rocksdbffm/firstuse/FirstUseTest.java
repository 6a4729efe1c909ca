/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.shape.CompiledClasses;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.Sweeps;

/**
 * Tests that a first use without free file descriptors, or without heap, fails with a clear exception, and that all
 * parts of the library and the JDK can be used afterwards. Classes are in jars, as in real programs.
 */
class FirstUseTest {
  @TempDir static Path jars;
  private static ChildJvm child;

  @BeforeAll
  static void packClasses() throws Exception {
    String last = LastOnClassPath.class.getName().replace('.', '/') + ".class";
    String found = LastOnClassPath.class.getResource("/" + last).toString();
    Path tests = Path.of(URI.create(found.substring(0, found.length() - last.length())));
    Path main = jar("main.jar", CompiledClasses.root(), "");
    Path test = jar("test.jar", tests, last);
    Path end = jars.resolve("end.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(end))) {
      out.putNextEntry(new JarEntry(last));
      out.write(Files.readAllBytes(tests.resolve(last)));
    }
    child =
        ChildJvm.of(FirstUseCase.class)
            .withoutClassPath(entry -> Files.isDirectory(Path.of(entry)) || entry.contains("junit"))
            .withClassPathEnd(end)
            .withClassPath(test)
            .withClassPath(main)
            .underLimit("-n 300");
  }

  private static Path jar(String name, Path root, String without) throws IOException {
    Path jar = jars.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar)); Stream<Path> files = Files.walk(root)) {
      out.setLevel(0);
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String entry = root.relativize(file).toString();
        if (!entry.equals(without)) {
          out.putNextEntry(new JarEntry(entry));
          out.write(Files.readAllBytes(file));
        }
      }
    }
    return jar;
  }

  private static void run(String... arguments) {
    String output = child.run(arguments).assertExit(0).output();
    assertEquals(List.of(), output.lines().filter(line -> line.startsWith("WRONG")).toList(), output);
    assertTrue(output.endsWith("done\n"), output);
  }

  @ParameterizedTest
  @CsvSource({"0, cold, open", "1, cold, open", "0, cold, warning", "heap0, warm, checkpoint"})
  void theFirstUseOfAllCostsThatUseAlone(String missing, String loaded, String use) {
    run(missing, loaded, use);
  }

  @Test
  void theFirstUseOfEachPartCostsThatUseAlone() {
    run("1", "warm");
  }

  static Stream<Arguments> rest() {
    Stream<Arguments> warm =
        Stream.of("0", "2", "3", "4", "5", "heap0", "heap4000").map(missing -> Arguments.of(missing, "warm", null));
    Stream<Arguments> cold =
        Stream.of("0", "1", "2", "3", "4", "5", "heap0").flatMap(missing ->
            FirstUseCase.usesWithoutDatabase().stream().map(use -> Arguments.of(missing, "cold", use)));
    return Stream.concat(warm, cold).limit(Sweeps.of(1, 1_000));
  }

  @ParameterizedTest
  @MethodSource("rest")
  void anyFirstUseCostsThatUseAlone(String missing, String loaded, String use) {
    if (use == null) {
      run(missing, loaded);
    } else {
      run(missing, loaded, use);
    }
  }
}
