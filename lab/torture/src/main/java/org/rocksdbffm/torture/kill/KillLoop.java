/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

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
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.world.Folders;
import org.rocksdbffm.torture.world.WrongAnswer;

/**
 * Kills a {@link KilledWriter} repeatedly, at random times, and checks the database each time: it must have every
 * acknowledged write, and no part of a batch without the rest. All rounds use the same database, each with another
 * {@link KillSetting}.
 */
public final class KillLoop {
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
  public record Report(int rounds, int withWrites, long acknowledged, long unacknowledged) {
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

  public static Report run(int rounds, long seed, boolean isEncrypted) throws Exception {
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
    KillSetting setting = KillSetting.random(random);
    int last = KilledThread.values().length - 1;
    try (ChildJvm.Running child =
        ChildJvm.of(KilledWriter.class)
            .start(folder.toString(), String.valueOf(round), setting.kind().name(), setting.options())) {
      boolean early = random.nextInt(EARLY_ONE_IN) == 0;
      while (!early && Ledger.read(folder, last, Ledger.Step.DONE) < 0) {
        if (!child.process().isAlive()) {
          throw new AssertionError("the writer ended by itself:\n" + child.output());
        }
        Thread.sleep(1);
      }
      Thread.sleep(random.nextInt(early ? MOST_EARLY_MILLIS : MOST_MILLIS));
      if (!child.process().isAlive()) {
        throw new AssertionError("the writer ended by itself:\n" + child.output());
      }
      child.process().destroyForcibly().waitFor(); // SIGKILL
    }
    try {
      check(round, new KillCheck(folder, round, setting.isAtomic()));
    } catch (WrongAnswer | RocksDbException e) {
      throw new WrongAnswer(e.getMessage() + "; the writer's setting was " + setting, e);
    }
    for (KilledThread writer : KilledThread.values()) {
      Ledger.delete(folder, writer.ordinal());
    }
  }

  /** Checks twice, because an opening may lose what an earlier one has found. */
  private void check(int round, KillCheck check) throws IOException {
    try (RocksDb db = reopen()) {
      check.check(db);
    }
    long acknowledgedFirst = check.acknowledged();
    long unacknowledgedFirst = check.unacknowledged();
    try (RocksDb db = reopen()) {
      check.check(db);
      deleteSome(db, round);
      if (db instanceof TransactionDb) {
        db.flushAll(); // without it, databases of other kinds are not opened
      }
    }
    if (check.acknowledged() != acknowledgedFirst || check.unacknowledged() != unacknowledgedFirst) {
      throw new WrongAnswer("run " + round + ": another opening has other rows");
    }
    acknowledged += acknowledgedFirst;
    unacknowledged += unacknowledgedFirst;
    withWrites += acknowledgedFirst > 0 ? 1 : 0;
  }

  /** Opens the database with any setting; with two-phase commits if there are prepared transactions. */
  private RocksDb reopen() {
    KillSetting setting = KillSetting.random(random);
    try {
      return setting.open(folder);
    } catch (RocksDbException e) {
      if (setting.kind() == KillSetting.Kind.PESSIMISTIC || !e.getMessage().contains(" prepared")) {
        throw new WrongAnswer("an opening fails with " + setting + ": " + e.getMessage(), e);
      }
      return setting.with(KillSetting.Kind.PESSIMISTIC).open(folder);
    }
  }

  private void deleteSome(RocksDb db, int round) {
    for (ColumnFamily family : db.families()) {
      if (family.name().startsWith("generation-") && random.nextBoolean()) {
        db.dropFamily(family);
      } else if (!(db instanceof TransactionalDb) && random.nextInt(4) == 0) {
        family.deleteRange(KilledRows.first(0), KilledRows.first(round + 1));
      }
    }
  }
}
