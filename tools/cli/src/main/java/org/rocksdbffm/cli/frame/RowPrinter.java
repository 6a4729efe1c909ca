/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.rocksdbffm.ByteSize;

/** Prints rows with the same columns. A cell is a text, a number, a boolean, a {@link ByteSize}, or a nested type. */
public final class RowPrinter implements Closeable {
  private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}]"); // control characters
  private static final int BAR = 20;
  private static final int LIVE_WIDTH = 10;
  private static final int GAP = 2; // between columns
  private static final int LEAST_WIDTH = 8; // the minimum width of a column that is cut
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Output out;
  private final Form form;
  private final String[] columns;
  private final List<Object[]> waiting = new ArrayList<>(); // rows to be printed when the widths are known
  private boolean hasStarted;

  /** The forms of printed text. */
  enum Form {
    /** Printed when the widths of all rows are known. */
    ALIGNED,
    /** Like ALIGNED, within the terminal's width. */
    FITTED,
    /** Printed immediately, in columns as wide as before. */
    LIVE,
    /** Printed immediately, with tabs between cells. */
    ROWS
  }

  RowPrinter(Output out, Form form, String... columns) {
    this.out = out;
    this.form = form;
    this.columns = columns;
  }

  /** A cell that writes itself, without a terminal's control characters. */
  interface Cell {
    void write(OutputBuffer out);

    /** Whether the cell is a JSON value, instead of a text. */
    boolean isJson();
  }

  /** A cell with a JSON value. */
  record Literal(String text) implements Cell {
    @Override
    public void write(OutputBuffer out) {
      out.append(text);
    }

    @Override
    public boolean isJson() {
      return true;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A cell of concatenated cells. */
  public record Joined(Object... parts) implements Cell {
    @Override
    public void write(OutputBuffer out) {
      for (Object part : parts) {
        RowPrinter.write(part, out);
      }
    }

    @Override
    public boolean isJson() {
      return false;
    }

    @Override
    public String toString() {
      OutputBuffer out = new OutputBuffer(null);
      write(out);
      return out.toString();
    }
  }

  /** A bar with a length from 0 to 1, which is only printed as text. */
  public record Bar(double share) {
    @Override
    public String toString() {
      return "#".repeat((int) Math.ceil(share * BAR));
    }
  }

  /** Adds a row with a cell for each column; null for an empty cell. */
  public void row(Object... cells) {
    if (out.isJson()) {
      out.line(json(cells));
    } else if (form == Form.ROWS) {
      OutputBuffer line = out.buffer();
      for (int i = 0; i < cells.length; i++) {
        if (i > 0) {
          line.append('\t');
        }
        write(cells[i], line);
      }
      out.endLine();
    } else {
      waiting.add(cells);
    }
    if (form == Form.LIVE) {
      close();
      out.flush();
    }
  }

  private static void write(Object cell, OutputBuffer line) {
    if (cell instanceof ByteNotation.Cell bytes) { // most cells, and tested faster than an interface
      bytes.write(line);
    } else if (cell instanceof Cell value) {
      value.write(line);
    } else {
      line.append(text(cell));
    }
  }

  private String json(Object[] cells) {
    StringJoiner line = new StringJoiner(",", "{", "}");
    for (int i = 0; i < cells.length; i++) {
      if (!(cells[i] instanceof Bar)) {
        line.add(JsonCells.quote(columns[i]) + ":" + JsonCells.value(cells[i]));
      }
    }
    return line.toString();
  }

  static String text(Object cell) {
    return switch (cell) {
      case null -> "-";
      case ByteSize size -> text(size);
      case OffsetDateTime time -> CLOCK.format(time); // without the date, because live rows are from today
      case Double number -> String.format(Locale.ROOT, Math.abs(number) < 100 ? "%.2f" : "%,.0f", number);
      case Cell value -> value.toString();
      default -> withoutObeyed(cell.toString());
    };
  }

  private static String withoutObeyed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x7f) {
        return OBEYED.matcher(text).replaceAll("?");
      }
    }
    return text; // most texts have no control characters
  }

  /** Formats a size with a suitable unit. */
  public static String text(ByteSize size) {
    long bytes = size.bytes();
    if (bytes < 1024) {
      return bytes + " B";
    }
    int power = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    return String.format(Locale.ROOT, "%.1f %ciB", (double) bytes / (1L << 10 * power), "KMGTPE".charAt(power - 1));
  }

  /** Prints the waiting rows. */
  @Override
  public void close() {
    if (waiting.isEmpty()) {
      return;
    }
    boolean[] right = new boolean[columns.length];
    int[] widths = new int[columns.length];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(columns[i].length(), form == Form.LIVE ? LIVE_WIDTH : 0);
      right[i] = true;
      for (Object[] cells : waiting) {
        widths[i] = Math.max(widths[i], text(cells[i]).length());
        right[i] &= cells[i] == null || cells[i] instanceof Number || cells[i] instanceof ByteSize;
      }
    }
    if (form == Form.FITTED) {
      fit(widths);
    }
    if (!hasStarted) {
      line(widths, right, columns);
      hasStarted = true;
    }
    waiting.forEach(cells -> line(widths, right, cells));
    waiting.clear();
  }

  /** Narrows the widest columns. */
  private static void fit(int[] widths) {
    int all = GAP * (widths.length - 1) + IntStream.of(widths).sum();
    for (int left = all - Output.width(); left > 0; left--) {
      int widest = IntStream.range(0, widths.length).boxed().max(Comparator.comparingInt(i -> widths[i])).orElseThrow();
      if (widths[widest] == LEAST_WIDTH) {
        return;
      }
      widths[widest]--;
    }
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "…";
  }

  private void line(int[] widths, boolean[] right, Object[] cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String text = cut(text(cells[i]), widths[i]);
      String gap = " ".repeat(widths[i] - text.length());
      line.append(i == 0 ? "" : " ".repeat(GAP)).append(right[i] ? gap + text : text + gap);
    }
    out.line(line.toString().stripTrailing());
  }
}
