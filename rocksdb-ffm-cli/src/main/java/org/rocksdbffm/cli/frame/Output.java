/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** Takes what a command prints: for people, or as JSON lines. */
public final class Output implements Closeable {
  private final OutputBuffer buffer;
  private final boolean json;
  private final PrintWriter terminal; // null where nobody watches

  Output(OutputStream out, boolean json, PrintWriter terminal) {
    this.buffer = new OutputBuffer(out);
    this.json = json;
    this.terminal = terminal;
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
    return new Progress(terminal, total);
  }

  boolean isJson() {
    return json;
  }

  void line(CharSequence line) {
    buffer.append(line);
    endLine();
  }

  /** What is appended to it is part of the line that is not ended yet. */
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
