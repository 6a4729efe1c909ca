/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.upstream;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.util.Environment;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Runs RocksDB's own Java tests from a checkout: compiles them against the published jar, and runs each class on the
 * drop-in in a separate JVM, two at a time. Prints the results of each class, and whether they match the page of gaps.
 */
final class UpstreamSuite {
  private static final int JVMS = 2;
  private static final long LONGEST_MINUTES = 20;
  private static final String ROW = "%-52s %6s %6s %7s %7s%n";

  private final Path tests;
  private final Path work;

  private UpstreamSuite(Path checkout, Path work) {
    this.tests = checkout.resolve("src/test/java");
    this.work = work;
  }

  /** Arguments: the checkout's folder, a working folder, the page of gaps, and optionally the test classes to run. */
  public static void main(String[] arguments) throws Exception {
    UpstreamSuite suite = new UpstreamSuite(Path.of(arguments[0]), Path.of(arguments[1]));
    Set<String> wanted = new TreeSet<>(List.of(arguments).subList(3, arguments.length));
    suite.compile();
    suite.copyEngine();
    List<ClassResult> results = suite.run(wanted);
    System.exit(report(results, GapsPage.read(Path.of(arguments[2])), wanted.isEmpty()) ? 0 : 1);
  }

  private void compile() throws IOException {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("-nowarn", "-Xlint:none", "-proc:none", "-d", classes().toString(), "-cp", classPath(true)));
    words.addAll(sources().map(Path::toString).toList());
    if (ToolProvider.findFirst("javac").orElseThrow().run(System.err, System.err, words.toArray(String[]::new)) != 0) {
      throw new IllegalStateException("the tests do not compile");
    }
  }

  private Stream<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    }
  }

  private Path classes() {
    return work.resolve("classes");
  }

  /** Puts the engine on the class path under its name in upstream's jar: two tests copy it from there. */
  private void copyEngine() throws IOException {
    Files.copy(NativeLibrary.engine(), classes().resolve(Environment.getJniLibraryFileName("rocksdb")));
  }

  /** Returns this program's class path, with either the published jar or the drop-in. */
  private String classPath(boolean published) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains(published ? "/rocksdb-ffm-compat" : "/rocksdbjni-"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private List<ClassResult> run(Set<String> wanted) throws Exception {
    List<ClassResult> results = new ArrayList<>();
    System.out.printf(ROW, "class", "passed", "failed", "ignored", "seconds");
    try (ExecutorService executor = Executors.newFixedThreadPool(JVMS)) {
      List<Future<ClassResult>> runs = new ArrayList<>();
      for (String name : names()) {
        if (wanted.isEmpty() || wanted.contains(ClassResult.simple(name))) {
          runs.add(executor.submit(() -> run(name)));
        }
      }
      for (Future<ClassResult> run : runs) {
        ClassResult result = run.get();
        if (!result.isEmpty()) {
          results.add(result);
          print(result);
        }
      }
    }
    return results;
  }

  private List<String> names() throws IOException {
    return sources()
        .map(file -> tests.relativize(file).toString())
        .filter(file -> file.endsWith("Test.java"))
        .map(file -> file.substring(0, file.length() - ".java".length()).replace('/', '.'))
        .sorted()
        .toList();
  }

  private ClassResult run(String name) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve(name));
    Path file = work.resolve(name + ".result");
    Path output = work.resolve(name + ".output");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command(name, folder, file))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    if (Files.exists(file)) {
      return ClassResult.read(file);
    }
    String end =
        ended ? "its JVM ended with " + process.exitValue() : "it ran for more than " + LONGEST_MINUTES + " minutes";
    System.err.print(Files.readString(output));
    return ClassResult.lost(ClassResult.simple(name), end, seconds);
  }

  private List<String> command(String name, Path folder, Path file) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-ea",
        "-Xmx2g",
        "--enable-native-access=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED", // upstream's old Mockito defines classes by reflection
        "-Djava.io.tmpdir=" + folder,
        "-cp",
        classes() + File.pathSeparator + absolute(classPath(false)),
        ClassRun.class.getName(),
        name,
        file.toString());
  }

  private static String absolute(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void print(ClassResult result) {
    System.out.printf(
        ROW,
        ClassResult.simple(result.name()),
        result.passed(),
        result.failures().size(),
        result.ignored(),
        result.seconds());
    result.failures().forEach((test, message) -> System.out.println("  FAILED " + test + ": " + message));
  }

  /**
   * Prints the totals, and returns whether the page has the same results; after a run of some classes, whether it lists
   * all failed tests.
   */
  private static boolean report(List<ClassResult> results, GapsPage page, boolean all) {
    int passed = results.stream().mapToInt(ClassResult::passed).sum();
    int ignored = results.stream().mapToInt(ClassResult::ignored).sum();
    Set<String> failing = new TreeSet<>();
    results.forEach(result -> failing.addAll(result.failures().keySet()));
    System.out.printf("%d pass, %d are ignored, %d fail%n", passed, ignored, failing.size());
    boolean same =
        all ? page.equals(new GapsPage(passed, ignored, failing)) : page.failing().containsAll(failing);
    System.out.println(same ? "as docs/compat-gaps.md says" : "docs/compat-gaps.md says otherwise: " + page);
    return same;
  }
}
