/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

import org.rocksdbffm.ByteSize;

/** Prints rows with the same columns. A cell is a text, a number, a truth value, a {@link ByteSize}, or one of this class's own. */
public final class Table implements Closeable {
  private static final int BAR = 20;

  private final Output out;
  private final boolean aligned;
  private final String[] columns;
  private final List<Object[]> waiting = new ArrayList<>(); // until their widths are known

  Table(Output out, boolean aligned, String... columns) {
    this.out = out;
    this.aligned = aligned;
    this.columns = columns;
  }

  /**
   * A cell that is JSON by itself.
   *
   * @param text what is printed
   */
  public record Literal(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * A cell for people alone.
   *
   * @param share of the bar, from 0 to 1
   */
  public record Bar(double share) {
    @Override
    public String toString() {
      return "#".repeat((int) Math.ceil(share * BAR));
    }
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column; null where there is nothing
   */
  public void row(Object... cells) {
    if (out.isJson()) {
      out.line(json(cells));
    } else if (aligned) {
      waiting.add(cells);
    } else {
      StringJoiner line = new StringJoiner("\t");
      for (Object cell : cells) {
        line.add(text(cell));
      }
      out.line(line.toString());
    }
  }

  private String json(Object[] cells) {
    StringJoiner line = new StringJoiner(",", "{", "}");
    for (int i = 0; i < cells.length; i++) {
      if (!(cells[i] instanceof Bar)) {
        line.add(Json.quote(columns[i]) + ":" + Json.value(cells[i]));
      }
    }
    return line.toString();
  }

  private static String text(Object cell) {
    return switch (cell) {
      case null -> "-";
      case ByteSize size -> text(size.bytes());
      default -> {
        String text = cell.toString();
        yield text.chars().anyMatch(Character::isISOControl) ? text.replaceAll("\\p{Cc}", "?") : text; // a terminal obeys them
      }
    };
  }

  private static String text(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int power = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    return String.format(Locale.ROOT, "%.1f %ciB", (double) bytes / (1L << 10 * power), "KMGTPE".charAt(power - 1));
  }

  /** Prints what waits. */
  @Override
  public void close() {
    if (waiting.isEmpty()) {
      return;
    }
    int[] widths = new int[columns.length];
    waiting.addFirst(columns);
    for (Object[] cells : waiting) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], text(cells[i]).length());
      }
    }
    Object[] first = waiting.get(1);
    for (Object[] cells : waiting) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        boolean right = first[i] instanceof Number || first[i] instanceof ByteSize;
        String text = text(cells[i]);
        String gap = " ".repeat(widths[i] - text.length());
        line.append(i == 0 ? "" : "  ").append(right ? gap + text : text + gap);
      }
      out.line(line.toString().stripTrailing());
    }
    waiting.clear();
  }
}
