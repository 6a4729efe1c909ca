/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Takes what a command prints: for people, or as JSON lines. */
public final class Output implements Closeable {
  private final Writer writer;
  private final boolean json;

  Output(Writer writer, boolean json) {
    this.writer = writer;
    this.json = json;
  }

  /** Is thrown when the reader of the output has closed it. */
  static final class Closed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Closed(IOException cause) {
      super(cause);
    }
  }

  /**
   * Begins a table with a header and aligned columns.
   *
   * @param columns their names
   * @return the table, which prints what it has when it is closed
   */
  public Table table(String... columns) {
    return new Table(this, true, columns);
  }

  /**
   * Begins a list of any length: no header, and one tab between two cells.
   *
   * @param columns their names in JSON
   * @return the table, which prints each row at once
   */
  public Table rows(String... columns) {
    return new Table(this, false, columns);
  }

  boolean isJson() {
    return json;
  }

  void line(CharSequence line) {
    try {
      writer.append(line).append('\n');
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void flush() {
    try {
      writer.flush();
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
      writer.flush();
    } catch (IOException ignored) {
      // reported by the flush before
    }
  }
}
