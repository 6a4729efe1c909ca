/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Shows the library in 15 seconds: a crash that it prevents, ten lines of code, a bar chart, and links to read on. */
final class Quickstart {
  private static final Path README = Path.of("README.md");

  private Quickstart() {}

  public static void main(String[] arguments) throws Exception {
    System.out.printf("rocksdb-ffm, JDK %s, %s%n", Runtime.version(), System.getProperty("os.arch"));
    try (ExampleFolder folder = ExampleFolder.create()) {
      System.out.println("\n1  A database is used after it was closed, in a JVM of its own.\n");
      printCrash("rocksdbjni", "import org.rocksdb.", folder.path());
      printCrash("rocksdb-ffm", "db.cursor()", folder.path());

      System.out.println("2  A first program.\n");
      printProgram("getPinned", folder.path());

      System.out.println("3  One get, beside the fastest of rocksdbjni.\n");
      Comparison.print(folder.path());
    }
    System.out.print(
        """

        4  To go on

           mvn -B install -DskipTests -pl rocksdb-ffm -am         your first program: docs/tutorial.md
           mvn -B install -DskipTests -pl rocksdb-ffm-compat -am  your program on org.rocksdb: docs/drop-in.md
           ./bench                                                measures much more, in ten minutes
        """);
  }

  private static void printCrash(String library, String program, Path folder) throws IOException {
    ReadmeProgram closed = ReadmeProgram.with(program, README);
    closed.body().forEach(line -> System.out.println(" " + line));
    System.out.printf("   %s: %s%n%n", library, end(closed.run(folder)));
  }

  /** Returns the output line that shows how a program ended. */
  static String end(List<String> printed) {
    return printed.stream()
        .filter(line -> line.contains("SIG") || line.startsWith("Exception"))
        .findFirst()
        .map(line ->
            line.replaceFirst("^#\\s*(.*)", "the JVM died, $1").replaceFirst("^Exception in .*? java.lang.", ""))
        .orElseGet(() -> String.join("\n", printed));
  }

  private static void printProgram(String program, Path folder) throws IOException {
    ReadmeProgram first = ReadmeProgram.with(program, README);
    first.body().forEach(line -> System.out.println(" " + line));
    System.out.println();
    first.run(folder).forEach(line -> System.out.println("   > " + line));
    System.out.println();
  }
}
