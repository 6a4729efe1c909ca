/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A main class of the tests in a separate JVM, for cases that may crash it. */
public final class ChildJvm {
  private ChildJvm() {}

  /** Runs a class in a folder, asserts that it succeeded, and returns its output. */
  public static String run(Path folder, Class<?> main, List<String> flags, String... arguments) throws IOException {
    return run(folder, classPath(), main, flags, arguments);
  }

  /** Returns the tests' class path. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Runs a class with another class path. */
  public static String run(Path folder, String classPath, Class<?> main, List<String> flags, String... arguments)
      throws IOException {
    List<String> words = new ArrayList<>(flags);
    words.addAll(List.of("-cp", classPath, main.getName()));
    words.addAll(List.of(arguments));
    return run(folder, words);
  }

  /** Runs a source file, as its author would. */
  public static String runSource(Path folder, Path source) throws IOException {
    return run(folder, List.of("-cp", classPath(), source.toString()));
  }

  /** Returns the output of a program, whether it succeeded or not. */
  public static String outputOf(Path folder, Class<?> main, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("-cp", classPath(), main.getName()));
    words.addAll(List.of(arguments));
    return outputOf(folder, words);
  }

  /** Returns the output of a JVM with these arguments, whether it succeeded or not. */
  public static String outputOf(Path folder, List<String> words) throws IOException {
    // Fills freed memory, so that its use fails.
    end(folder, words, Map.of("GLIBC_TUNABLES", "glibc.malloc.perturb=165"));
    return text(folder.resolve("output.txt"));
  }

  private static String run(Path folder, List<String> words) throws IOException {
    int status = end(folder, words, Map.of());
    Path output = folder.resolve("output.txt");
    assertEquals(0, status, () -> text(output));
    return text(output);
  }

  private static int end(Path folder, List<String> words, Map<String, String> environment) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Deleted with the folder, even if the child is killed.
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-Djava.io.tmpdir=" + temporary.toAbsolutePath()));
    if (!words.contains("-Dorg.rocksdbffm.compat.options=quiet")) {
      command.add("-Dorg.rocksdbffm.leaks=off"); // otherwise a garbage collection may add leak reports to the output
    }
    command.addAll(words);
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS), () -> "it runs for too long: " + text(output));
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }

  private static String text(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
