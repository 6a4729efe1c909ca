/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** The output of a command, as text or JSON lines. */
public final class Output implements Closeable {
  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
  private static final String COLUMNS = "rocksdbffm.cli.columns"; // the terminal's width, set by the launcher

  private final OutputBuffer buffer;
  private final boolean json;
  private final PrintWriter notes; // the error stream
  private final boolean isWatched; // whether the output is a terminal

  Output(OutputStream out, boolean json, PrintWriter notes, boolean isWatched) {
    this.buffer = new OutputBuffer(out);
    this.json = json;
    this.notes = notes;
    this.isWatched = isWatched;
  }

  /** The reader has closed the output. */
  static final class Closed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Closed(IOException cause) {
      super(cause);
    }
  }

  /** Starts a table with a header and aligned columns, which is printed when it is closed. */
  public RowPrinter table(String... columns) {
    return new RowPrinter(this, RowPrinter.Form.ALIGNED, columns);
  }

  /** Like {@link #table}, but cuts the longest cells if lines do not fit the terminal. */
  public RowPrinter fitted(String... columns) {
    return new RowPrinter(this, RowPrinter.Form.FITTED, columns);
  }

  /** Starts a table that grows on the screen: a header, columns of fixed width, and immediate rows. */
  public RowPrinter live(String... columns) {
    return new RowPrinter(this, RowPrinter.Form.LIVE, columns);
  }

  /** Starts a list of any length: no header, cells separated by tabs. */
  public RowPrinter rows(String... columns) {
    return new RowPrinter(this, RowPrinter.Form.ROWS, columns);
  }

  /** Shows the progress of long work on a terminal; the total is an estimate, or 0 if unknown. */
  public ProgressLine progress(long total) {
    return new ProgressLine(isWatched ? notes : null, total);
  }

  /** Like {@link #progress(long)}; the total is only estimated if the progress is shown. */
  public ProgressLine progress(LongSupplier total) {
    return progress(isWatched, total);
  }

  /** Like {@link #progress}, but only if rows are printed to a file: on the screen, they show the progress. */
  public ProgressLine progressOfRows(LongSupplier total) {
    return progress(isWatched && Files.isRegularFile(STANDARD_OUTPUT), total);
  }

  private ProgressLine progress(boolean isShown, LongSupplier total) {
    return isShown ? new ProgressLine(notes, total.getAsLong()) : new ProgressLine(null, 0);
  }

  /** Prints a note about the result to the error stream, after flushing the output. */
  public void note(String text) {
    flush();
    notes.println(Frame.PROGRAM + ": " + RowPrinter.text((Object) text));
  }

  boolean isJson() {
    return json;
  }

  /** Returns the number of characters that fit into a line. */
  static int width() {
    int columns = Integer.getInteger(COLUMNS, 0);
    return columns > 0 ? columns : Integer.MAX_VALUE;
  }

  void line(CharSequence line) {
    buffer.append(line);
    endLine();
  }

  /** Returns the buffer of the current line; text that is appended to it becomes part of that line. */
  OutputBuffer buffer() {
    return buffer;
  }

  void endLine() {
    try {
      buffer.endLine();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void flush() {
    try {
      buffer.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static RuntimeException failed(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("Broken pipe") || message.contains("Pipe closed")
        ? new Closed(e)
        : new UncheckedIOException(new IOException("the output cannot be written: " + message, e));
  }

  /** Flushes the output, also after a failure; errors are ignored then, because the failure is reported. */
  @Override
  public void close() {
    try {
      buffer.flush();
    } catch (IOException ignored) {
      // already reported by the previous flush
    }
  }
}
