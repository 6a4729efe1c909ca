/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Recorded steps, one for each line. */
public record CallCase(List<CallStep> steps) {
  public static CallCase read(Path file) throws IOException {
    return of(Files.readAllLines(file));
  }

  /** Parses the lines of a case, or the last case of a log, which also has other lines. */
  public static CallCase of(List<String> lines) {
    int start = 0;
    for (int i = 0; i < lines.size(); i++) {
      start = lines.get(i).startsWith(StepLog.CASE) ? i : start;
    }
    return new CallCase(
        lines.subList(start, lines.size()).stream().filter(line -> !line.isBlank() && Character.isDigit(line.charAt(0)))
            .map(CallStep::parse).toList());
  }

  public void write(Path file) throws IOException {
    Files.writeString(file, toString());
  }

  @Override
  public String toString() {
    return steps.stream().map(step -> step + "\n").collect(Collectors.joining());
  }
}
