/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.RocksDb;

/** Waits for an archiver. */
final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  static final Archiver.Options FAST =
      Archiver.Options.defaults()
          .every(Duration.ofMillis(20), Duration.ofHours(1))
          .leastBetweenBases(Duration.ZERO)
          .closeWithin(PATIENCE);

  private Await() {}

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    until(() -> what, condition);
  }

  static void until(Supplier<String> what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within two minutes: " + what.get());
      }
      Thread.sleep(2);
    }
  }

  /** Waits until a process has printed more lines than some, as long as it lives and prints lines. */
  static void printed(Process process, Path output, int lines) throws InterruptedException {
    for (int line = 0; line <= lines; line++) {
      int before = line;
      until(
          "line " + line,
          () -> {
            try {
              if (!process.isAlive()) {
                throw new AssertionError(Files.readString(output));
              }
              return Files.readAllLines(output).size() > before;
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  /** Waits until all writes so far can be restored. */
  static long archived(RocksDb db, Archiver archiver) throws InterruptedException {
    long latest = db.files().latestSequenceNumber();
    until(
        () -> "archived up to " + latest + ": " + archiver.status(),
        () -> {
          Archiver.Status status = archiver.status();
          if (status.phase() == Archiver.Phase.STOPPED || status.phase() == Archiver.Phase.FENCED) {
            throw new AssertionError(status.toString());
          }
          return status.phase() == Archiver.Phase.FOLLOWING && status.sequence() >= latest;
        });
    return latest;
  }

  static Archiver.Options retaining(ByteSize bytes) {
    return FAST.retain(Duration.ofMinutes(1), bytes);
  }
}
