/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A program of the README, which a test of the build also runs; it runs in a separate JVM. */
record ReadmeProgram(String source) {
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

  /** Returns the first program of a page that contains the text. */
  static ReadmeProgram with(String text, Path page) throws IOException {
    return JAVA.matcher(Files.readString(page))
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains(text))
        .findFirst()
        .map(ReadmeProgram::new)
        .orElseThrow(() -> new IllegalArgumentException(page + " has no program with " + text));
  }

  /** Returns the lines of {@code main}, with their indentation. */
  List<String> body() {
    List<String> lines = source.lines().toList();
    int main =
        lines.stream().filter(line -> line.startsWith("void main(")).map(lines::indexOf).findFirst().orElseThrow();
    return lines.subList(main + 1, lines.size() - 1);
  }

  /** Runs the program in a folder, with this JVM's class path; returns its output lines, including a crash report. */
  List<String> run(Path folder) throws IOException {
    Files.writeString(folder.resolve("Main.java"), source);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
                absoluteClassPath(),
                "Main.java")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    return process.inputReader().lines().toList();
  }

  private static String absoluteClassPath() {
    String separator = System.getProperty("path.separator");
    return Pattern.compile(separator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .reduce((first, second) -> first + separator + second)
        .orElseThrow();
  }
}
