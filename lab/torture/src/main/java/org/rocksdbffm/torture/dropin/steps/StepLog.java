/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.steps;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A log of a child's steps. Each step is written to a file before it runs, so that the file has the step that crashed
 * the JVM. Thread-safe.
 */
public final class StepLog {
  public static final String CASE = "case ";
  public static final String OUTCOME = "= ";
  public static final String WROTE = "+ ";
  public static final String ANSWERED = "ok";
  public static final String SKIPPED = "skipped";

  private final FileOutputStream file;

  public StepLog(Path path) throws IOException {
    file = new FileOutputStream(path.toFile()); // not a channel, which an interrupt would close
  }

  public void begins(long seed) {
    write(CASE + seed + "\n");
  }

  public void begins(CallStep step) {
    write(step + "\n");
  }

  /** Records a write to a reference database, in the order of these writes. */
  public void wrote(CallStep step) {
    write(WROTE + step + "\n");
  }

  public void ends(CallStep step, String outcome) {
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
