/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.rocksdbffm.jmh.run.plan.Engine;

/**
 * Fills the {@linkplain Blocks blocks} of a Markdown page with the results of a file.
 */
public final class Page {
  private static final double NEAR_NATIVE = 0.9;

  private final List<Result> results;
  private final Machine machine;
  private final Map<String, Plot> plots;
  private final String plotsAt;

  /** Creates a page whose plots are in the same folder. */
  Page(ResultFile file) throws IOException {
    results = file.read();
    machine = file.readMachine();
    plots = new Plots(results).byName();
    plotsAt = file.stem() + "-";
  }

  /**
   * Writes a page with filled blocks, and its plots in the same folder; called by {@code ./bench pages}.
   *
   * @param arguments the page, the file of results, and the page to write
   */
  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[2]).toAbsolutePath();
    Page page = new Page(new ResultFile(Path.of(arguments[1]).toAbsolutePath()));
    String text = page.fill(Files.readString(Path.of(arguments[0])));
    Files.createDirectories(target.getParent());
    Files.writeString(target, text);
    page.writePlots(target, text);
  }

  /** Writes the plots as SVG only, because it is text. */
  private void writePlots(Path page, String text) throws IOException {
    for (Map.Entry<String, Plot> plot : plots.entrySet()) {
      if (text.contains("<!-- plot " + plot.getKey() + " -->")) {
        plot.getValue().writeSvg(page.resolveSibling(plotsAt + plot.getKey() + ".svg"));
      }
    }
  }

  /** Returns the text with blocks filled from the results. */
  public String fill(String text) {
    return Blocks.filled(text, this::content);
  }

  private String content(String kind, String argument) {
    return switch (kind) {
      case "machine" -> machine();
      case "table" -> table(result -> result.group().equals(argument));
      case "plot" -> plot(argument);
      case "headline" -> new Headline(results).markdown();
      case "losses" -> new Headline(results).losses();
      case "goals" -> new Goals(results).markdown();
      case "slower" -> table(Page::isSlower);
      case "undecided" -> table(result -> result.isOf(Engine.FFM) && result.isNotToldApart());
      case "distant" -> table(Page::isDistant);
      case "programs" -> null; // filled from other files of results
      default -> throw new IllegalArgumentException("A page has no block '" + kind + "'");
    };
  }

  private static boolean isSlower(Result result) {
    return result.isOf(Engine.FFM) && result.vsJni() != null && result.vsJniHigh() < 1;
  }

  private static boolean isDistant(Result result) {
    return result.isOf(Engine.FFM) && result.vsNative() != null && result.vsNative() < NEAR_NATIVE;
  }

  /** Returns a table of the lines in which the result of any engine matches; each line has all engines. */
  private String table(Predicate<Result> wanted) {
    List<Result> found = results.stream().filter(wanted).toList();
    List<Result> lines =
        results.stream().filter(result -> found.stream().anyMatch(r -> isSameLine(r, result))).toList();
    return lines.isEmpty() ? "None.\n" : new ResultTable(lines).markdown();
  }

  private static boolean isSameLine(Result some, Result other) {
    return some.group().equals(other.group())
        && some.row().equals(other.row())
        && some.size() == other.size()
        && some.threads() == other.threads();
  }

  /** Returns the link to a plot; empty if there are too few results. */
  private String plot(String name) {
    return plots.containsKey(name) ? "![%s](%s%s.svg)\n".formatted(name, plotsAt, name) : "";
  }

  private String machine() {
    return """
        | | |
        |--|--|
        | processor | %s, %d cores |
        | memory | %d GiB |
        | system | %s |
        | JDK | %s |
        | RocksDB | %s, the library in rocksdbjni, for all engines |
        | commit | %s |
        | command | `%s`, up to %d rounds |
        | date | %s |
        """
        .formatted(
            machine.processor(), machine.processors(), machine.memoryGiB(), machine.system(), machine.jdk(),
            machine.rocksdb(), machine.commit(), machine.command(), machine.rounds(), machine.date());
  }
}
