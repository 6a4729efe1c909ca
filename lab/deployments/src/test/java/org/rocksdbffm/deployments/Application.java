/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.deployments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program of the tests, with its jars, in a folder that every user can read. */
final class Application {
  static final String MAIN = "application.Main";
  static final String WORKS = "core drop-in";

  private final Path folder;

  private Application(Path folder) {
    this.folder = folder;
  }

  static Application in(Path folder) throws IOException {
    Path jars = Files.createDirectories(folder.resolve("jars"));
    for (Path jar : list(Path.of(System.getProperty("jars")))) {
      Files.copy(jar, jars.resolve(jar.getFileName()));
    }
    Application application = new Application(folder);
    application.compile();
    application.tool(
        "jar", "--create", "--file", application.jar().toString(), "-C", application.classes().toString(), ".");
    run(folder, List.of("chmod", "-R", "a+rX", folder.toString()));
    return application;
  }

  private void compile() throws IOException {
    Path sources = Path.of("src/test/programs/application");
    try (Stream<Path> files = Files.walk(sources)) {
      List<String> words = new ArrayList<>(List.of("-d", classes().toString(), "--module-path", jars().toString()));
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(words::add);
      tool("javac", words.toArray(String[]::new));
    }
  }

  void tool(String name, String... arguments) {
    int status = ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, arguments);
    assertEquals(0, status, () -> name + " " + String.join(" ", arguments));
  }

  Path folder() {
    return folder;
  }

  Path jars() {
    return folder.resolve("jars");
  }

  Path classes() {
    return folder.resolve("classes");
  }

  Path jar() {
    return folder.resolve("application.jar");
  }

  List<Path> everyJar() throws IOException {
    List<Path> all = new ArrayList<>(List.of(jar()));
    all.addAll(list(jars()));
    return all;
  }

  String classPath() throws IOException {
    return everyJar().stream().map(Path::toString).collect(Collectors.joining(":"));
  }

  static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** Asserts that a JVM with this command line works; its native libraries are extracted to a new folder. */
  void assertWorks(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("-Dorg.rocksdbffm.cache=" + folder.resolve("cache")));
    command.addAll(List.of(words));
    assertRuns(java(), command);
  }

  void assertRuns(Path java, List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of(java.toString(), "--illegal-native-access=deny"));
    command.addAll(words);
    Finished finished = run(folder, command);
    assertEquals(WORKS, finished.output().strip());
    assertEquals(0, finished.status());
  }

  /** Runs a command to its end. */
  static Finished run(Path folder, List<String> command) throws IOException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(180, TimeUnit.SECONDS), () -> "it runs for too long: " + command);
      return new Finished(process.exitValue(), Files.readString(output));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The exit status and the output of a command. */
  record Finished(int status, String output) {}
}
