/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that runs in a separate JVM and folder, on either library. */
public record Program(String main, String classPath, List<String> flags, int seconds) {
  private static final int SHOWN = 100;

  /** Runs the program and returns its result lines. Throws its output after a failure or a timeout. */
  public List<String> answers(Turn turn, Path folder, String... arguments) throws IOException {
    Process process = start(turn, folder, arguments);
    Path output = output(folder);
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new AssertionError(main + " on " + turn + " takes more than " + seconds + " s: " + tail(output));
      }
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(main + " on " + turn + " ends with " + process.exitValue() + ": " + tail(output));
    }
    return lines(output).stream().filter(line -> line.startsWith(Answers.MARK)).toList();
  }

  /** Starts the program. Its output is appended to {@link #output}. */
  public Process start(Turn turn, Path folder, String... arguments) throws IOException {
    return new ProcessBuilder(command(turn, Files.createDirectories(folder), arguments))
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(output(folder).toFile()))
        .start();
  }

  /** Returns the file with the output of the programs in a folder. */
  public static Path output(Path folder) {
    return folder.resolve("output.txt");
  }

  private List<String> command(Turn turn, Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // deleted with the folder, even if the child is killed
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    command.addAll(List.of("-Xmx512m", "-XX:-CreateCoredumpOnCrash", "-Djava.io.tmpdir=" + temporary.toAbsolutePath()));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(flags);
    command.addAll(List.of("-cp", turn.of(classPath), main));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the last lines of an output. */
  public static String tail(Path output) throws IOException {
    List<String> lines = lines(output);
    return "\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN), lines.size()));
  }

  private static List<String> lines(Path output) throws IOException {
    return new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1).lines().toList();
  }
}
