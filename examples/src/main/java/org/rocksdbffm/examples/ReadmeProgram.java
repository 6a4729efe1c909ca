/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A program of the README, which a test of the build runs as well: its source, and its run in a JVM of its own. */
record ReadmeProgram(String source) {
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

  /** The first program of a page that has the text in it. */
  static ReadmeProgram with(String text, Path page) throws IOException {
    return JAVA.matcher(Files.readString(page))
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains(text))
        .findFirst()
        .map(ReadmeProgram::new)
        .orElseThrow(() -> new IllegalArgumentException(page + " has no program with " + text));
  }

  /** The lines within its {@code main}, as they are indented there. */
  List<String> body() {
    List<String> lines = source.lines().toList();
    int main = lines.stream().filter(line -> line.startsWith("void main(")).map(lines::indexOf).findFirst().orElseThrow();
    return lines.subList(main + 1, lines.size() - 1);
  }

  /** Runs it in a folder, with the class path of this JVM, and returns the lines that it prints; a crash is some, too. */
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
