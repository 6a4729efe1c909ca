/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes what a command prints: for people, or as JSON lines. */
public final class Output implements Closeable {
  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
  private static final String COLUMNS = "rocksdbffm.cli.columns"; // of the terminal, set by the launcher

  private final OutputBuffer buffer;
  private final boolean json;
  private final PrintWriter notes; // the error stream
  private final boolean isWatched; // it is a terminal

  Output(OutputStream out, boolean json, PrintWriter notes, boolean isWatched) {
    this.buffer = new OutputBuffer(out);
    this.json = json;
    this.notes = notes;
    this.isWatched = isWatched;
  }

  /** Is thrown when the reader of the output has closed it. */
  static final class Closed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Closed(IOException cause) {
      super(cause);
    }
  }

  /** Begins a table with a header and aligned columns, which is printed when it is closed. */
  public Table table(String... columns) {
    return new Table(this, Table.Form.ALIGNED, columns);
  }

  /** The same, whose longest cells are cut where the lines would not fit a terminal. */
  public Table fitted(String... columns) {
    return new Table(this, Table.Form.FITTED, columns);
  }

  /** Begins a table that is watched while it grows: a header, columns of a fixed width, and each row at once. */
  public Table live(String... columns) {
    return new Table(this, Table.Form.LIVE, columns);
  }

  /** Begins a list of any length: no header, and one tab between two cells. */
  public Table rows(String... columns) {
    return new Table(this, Table.Form.ROWS, columns);
  }

  /** Shows on a terminal how far long work has come; the total is an estimate, or 0 if that is not known. */
  public Progress progress(long total) {
    return new Progress(isWatched ? notes : null, total);
  }

  /** The same for a command that prints its rows meanwhile: unless they go to a file, they show how far it is. */
  public Progress progressOfRows(long total) {
    return new Progress(isWatched && Files.isRegularFile(STANDARD_OUTPUT) ? notes : null, total);
  }

  /** Says something about the answer on the error stream, behind all that was printed. */
  public void note(String text) {
    flush();
    notes.println(Frame.PROGRAM + ": " + Table.text((Object) text));
  }

  boolean isJson() {
    return json;
  }

  /** The characters that a line has room for. */
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

  /** Prints what a failed command has printed until then; the failure is what is reported. */
  @Override
  public void close() {
    try {
      buffer.flush();
    } catch (IOException ignored) {
      // reported by the flush before
    }
  }
}
