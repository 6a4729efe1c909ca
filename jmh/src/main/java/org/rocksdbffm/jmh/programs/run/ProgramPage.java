/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.Blocks;
import org.rocksdbffm.jmh.run.report.Machine;

/**
 * The blocks of a page with the results of whole programs.
 *
 * @param content of the file of results; null if there is no file yet
 */
record ProgramPage(ProgramFile.Content content) {
  private static final List<String> HEADLINE =
      List.of(
          "ycsb-a", "ycsb-c", "ycsb-e", "ledger", "workflow-engine", "short-iterators", "kafka-streams", "spark-store");
  private static final String NOTHING = "No run is kept here yet.\n";
  private static final String HEAD =
      """
      | program | engine | steps/s | against rocksdbjni | CPU s | against rocksdbjni | p99 µs | p99.9 µs | B/step | \
      JIT s | MiB |
      |:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  static ProgramPage of(Path results) throws IOException {
    return new ProgramPage(Files.exists(results) ? new ProgramFile(results).read() : null);
  }

  /**
   * Writes pages with filled blocks; called by {@code ./bench pages}.
   *
   * @param arguments the file of results, then pairs of a page and the page to write
   */
  public static void main(String[] arguments) throws IOException {
    ProgramPage results = of(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i += 2) {
      Files.writeString(Path.of(arguments[i + 1]), results.fill(Files.readString(Path.of(arguments[i]))));
    }
  }

  /** Returns the text with the blocks of programs filled with the results. */
  String fill(String text) {
    return Blocks.filled(text, (kind, argument) -> kind.equals("programs") ? block(argument) : null);
  }

  private String block(String argument) {
    if (content == null) {
      return NOTHING;
    }
    return switch (argument) {
      case "headline" -> headline();
      case "steady", "short" -> table(each -> each.mode().equals(argument));
      case "slower" -> table(ProgramPage::isSlower);
      case "machine" -> machine();
      default -> throw new IllegalArgumentException("A page has no block 'programs " + argument + "'");
    };
  }

  /** Returns the speed relative to rocksdbjni in steady state, and the CPU time of short processes. */
  private String headline() {
    StringBuilder text =
        new StringBuilder(
            """
            | | drop-in | this library | short run: drop-in | this library |
            |:--|--:|--:|--:|--:|
            """);
    for (String row : HEADLINE) {
      if (find(row, RunMode.STEADY.id(), Engine.COMPAT) != null) {
        text.append(
            "| %s | %s | %s | %s | %s |\n"
                .formatted(
                    row.replace('-', ' ').replace("ycsb", "YCSB"),
                    speed(find(row, RunMode.STEADY.id(), Engine.COMPAT)),
                    speed(find(row, RunMode.STEADY.id(), Engine.FFM)),
                    cpu(find(row, RunMode.SHORT.id(), Engine.COMPAT)),
                    cpu(find(row, RunMode.SHORT.id(), Engine.FFM))));
      }
    }
    return text.toString();
  }

  private static boolean isSlower(ProgramResult result) {
    return result.mode().equals(RunMode.STEADY.id()) && result.vsJniHigh() < 1;
  }

  private String table(Predicate<ProgramResult> wanted) {
    String lines =
        content.results().stream().filter(wanted).map(ProgramPage::line).collect(Collectors.joining());
    return lines.isEmpty() ? "None.\n" : HEAD + lines;
  }

  private static String line(ProgramResult result) {
    return result.line(
        "| %s | %s | %.0f | %s | %.2f | %s | %.1f | %.1f | %.0f | %.2f | %.0f |\n", "%.2fx (%.2fx to %.2fx)");
  }

  private static String speed(ProgramResult result) {
    return result == null ? "" : String.format(Locale.ROOT, "%.2fx", result.vsJni());
  }

  private static String cpu(ProgramResult result) {
    return result == null ? "" : String.format(Locale.ROOT, "%.2fx", 1 / result.cpuVsJni());
  }

  private ProgramResult find(String row, String mode, Engine engine) {
    return content.results().stream()
        .filter(each -> each.row().equals(row) && each.mode().equals(mode) && each.engine().equals(engine.id()))
        .findFirst()
        .orElse(null);
  }

  private String machine() {
    Machine machine = content.machine();
    return Stream.of(machine.processor(), machine.processors() + " cores", machine.memoryGiB() + " GiB", machine.jdk(),
            "RocksDB " + machine.rocksdb(), "commit " + machine.commit(), "`" + machine.command() + "`", machine.date())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(", ", "", ".\n"));
  }
}
