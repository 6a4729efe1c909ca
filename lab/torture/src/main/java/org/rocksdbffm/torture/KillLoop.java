/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.world.Folders;
import org.rocksdbffm.torture.world.WrongAnswer;

/**
 * Kills a {@link KilledWriter} repeatedly, at random times, and checks the database each time: it must have every
 * acknowledged write, and no part of a batch without the rest. All rounds use the same database.
 */
final class KillLoop {
  private static final int EARLY_ONE_IN = 8;
  private static final int MOST_MILLIS = 250;
  private static final int MOST_EARLY_MILLIS = 900;

  private static final int ROUNDS_OF_A_KEY = 10;
  private static final byte[] PREFIX = "ffm-aes\n".getBytes(StandardCharsets.US_ASCII);

  private final Random random;
  private final Path folder;
  private long acknowledged;
  private long unacknowledged;
  private int withWrites;

  /** The counts of a loop without failures; the first lost write or torn batch ends the loop with an exception. */
  record Report(int rounds, int withWrites, long acknowledged, long unacknowledged) {
    @Override
    public String toString() {
      return "%d rounds, %d of them with writes: %d acknowledged writes, 0 lost, 0 torn (and %d not acknowledged)"
          .formatted(rounds, withWrites, acknowledged, unacknowledged);
    }
  }

  private KillLoop(long seed, Path folder) {
    this.random = new Random(seed);
    this.folder = folder;
  }

  static Report run(int rounds, long seed, boolean isEncrypted) throws Exception {
    Path folder = Files.createTempDirectory("kill"); // on a disk, if there is one
    try {
      KillLoop loop = new KillLoop(seed, folder);
      for (int round = 0; round < rounds; round++) {
        if (isEncrypted && round % ROUNDS_OF_A_KEY == 0) {
          loop.changeKey(round);
        }
        loop.round(round);
        if (isEncrypted) {
          loop.requireEncrypted();
        }
      }
      return new Report(rounds, loop.withWrites, loop.acknowledged, loop.unacknowledged);
    } finally {
      Folders.delete(folder);
    }
  }

  /** Puts a new key before the others. */
  private void changeKey(int round) throws IOException {
    byte[] key = new byte[32];
    random.nextBytes(key);
    Path file = folder.resolve("keys");
    String others = Files.exists(file) ? Files.readString(file) : "";
    Files.writeString(file, "round-" + round + " " + HexFormat.of().formatHex(key) + "\n" + others);
  }

  private void requireEncrypted() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("db"))) {
      for (Path file : files.toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 0 && !Arrays.equals(PREFIX, Arrays.copyOf(bytes, PREFIX.length))) {
          throw new WrongAnswer(file + " is not encrypted");
        }
      }
    }
  }

  private void round(int round) throws Exception {
    try (ChildJvm.Running child =
        ChildJvm.of(KilledWriter.class).start(folder.toString(), String.valueOf(round))) {
      boolean early = random.nextInt(EARLY_ONE_IN) == 0;
      while (!early && Ledger.read(folder, KilledWriter.WRITERS - 1) < 0) {
        if (!child.process().isAlive()) {
          throw new AssertionError("the writer ended by itself:\n" + child.output());
        }
        Thread.sleep(1);
      }
      Thread.sleep(random.nextInt(early ? MOST_EARLY_MILLIS : MOST_MILLIS));
      child.process().destroyForcibly().waitFor(); // SIGKILL
    }
    verify(round);
    for (int writer = 0; writer < KilledWriter.WRITERS; writer++) {
      Files.deleteIfExists(folder.resolve("promised-" + writer));
    }
  }

  private void verify(int round) throws IOException {
    boolean wrote = false;
    try (RocksDb db = KilledWriter.open(folder)) {
      for (int writer = 0; writer < KilledWriter.WRITERS; writer++) {
        long promised = Ledger.read(folder, writer);
        wrote |= promised >= 0;
        acknowledged += promised + 1;
        if (KilledWriter.isBatch(writer)) {
          verifyBatches(db, round, writer, promised);
        } else {
          verifySingle(db, round, writer, promised);
        }
      }
      if (random.nextInt(4) == 0) {
        db.deleteRange(KilledWriter.key(0, 0, 0), KilledWriter.key(round + 1, 0, 0));
      }
    }
    withWrites += wrote ? 1 : 0;
  }

  private void verifySingle(RocksDb db, int round, int writer, long promised) {
    for (long number = 0; number <= promised; number++) {
      byte[] value = db.get(KilledWriter.key(round, writer, number));
      if (value == null || !KilledWriter.isValue(value, round, writer) || KilledWriter.numberOf(value) != number) {
        throw new WrongAnswer("round " + round + ": write " + number + " of " + promised + " is lost or wrong");
      }
    }
    if (db.get(KilledWriter.key(round, writer, promised + 1)) != null) {
      unacknowledged++;
    }
    if (db.get(KilledWriter.key(round, writer, promised + 2)) != null) {
      throw new WrongAnswer("round " + round + ": a write is there that was not yet begun");
    }
  }

  /** Each batch overwrites all rows, so all rows must be from the same batch: the last acknowledged or the next. */
  private void verifyBatches(RocksDb db, int round, int writer, long promised) {
    ColumnFamily other =
        db.families().stream().filter(family -> family.name().equals(KilledWriter.OTHER)).findAny().orElse(null);
    long first = -1;
    for (int i = 0; i < KilledWriter.BATCH; i++) {
      byte[] key = KilledWriter.key(round, writer, i);
      byte[] value = i % 2 == 0 ? db.get(key) : other == null ? null : other.get(key);
      if (value != null && !KilledWriter.isValue(value, round, writer)) {
        throw new WrongAnswer("round " + round + ": a value is wrong");
      }
      long number = value == null ? -1 : KilledWriter.numberOf(value);
      if (i > 0 && number != first) {
        throw new WrongAnswer("round " + round + ": a batch is torn: " + first + " and " + number);
      }
      first = number;
    }
    if (first < promised || first > promised + 1) {
      throw new WrongAnswer("round " + round + ": batch " + promised + " was promised, and " + first + " is there");
    }
    unacknowledged += first - promised;
  }
}
