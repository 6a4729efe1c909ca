/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A log of a child's steps, each written to a file before it is run: the file outlives any crash. Thread-safe. */
final class StepLog {
  static final String CASE = "case ";
  static final String OUTCOME = "= ";
  static final String WROTE = "+ ";
  static final String ANSWERED = "ok";
  static final String SKIPPED = "skipped";

  private final FileOutputStream file;

  StepLog(Path path) throws IOException {
    file = new FileOutputStream(path.toFile()); // not a channel, which an interrupt closes
  }

  void begins(long seed) {
    write(CASE + seed + "\n");
  }

  void begins(Step step) {
    write(step + "\n");
  }

  /** A write to a reference database, in the order of these writes. */
  void wrote(Step step) {
    write(WROTE + step + "\n");
  }

  void ends(Step step, String outcome) {
    write(OUTCOME + step.number() + " " + outcome + "\n");
  }

  private synchronized void write(String line) {
    try {
      file.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
