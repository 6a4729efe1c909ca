/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Follows a writer in another process until that process is killed: each state that the follower sees was a state of
 * the writer since the last catch-up.
 */
@ExtendWith(LiveObjectsCheck.class)
final class FollowerProcessTest {
  private static final long LAST = 500;
  private static final int MOMENTS = 20;
  private static final String WAL_DIR = "wal_dir";
  private static final Duration LONGEST = Duration.ofMinutes(2);

  @TempDir Path temporary;

  @ParameterizedTest
  @ValueSource(strings =
      {"", "recycle_log_file_num=2", "manual_wal_flush=true", "wal_compression=kZSTD", "max_open_files=20", WAL_DIR})
  void eachMomentIsOneOfTheWriters(String setting) throws Exception {
    Path folder = temporary.resolve("db");
    boolean isForWriter = setting.equals(WAL_DIR); // the follower finds the folder itself
    String ofWriter = isForWriter ? setting + "=" + temporary.resolve("wal") : setting;
    String option = isForWriter ? "" : setting;
    ByteBuffer rounds = FollowedProgram.rounds(folder);
    long last;
    try (ChildJvm.Running child = ChildJvm.of(FollowedProgram.class).start(folder.toString(), ofWriter)) {
      while (!child.output().contains("begun")) {
        assertTrue(child.process().isAlive(), child::output);
        Thread.onSpinWait();
      }
      try (Follower follower = FollowedProgram.at(folder, option).openFollower()) {
        long seen = 0;
        for (int moments = 0; seen < LAST || moments < MOMENTS; moments++) {
          assertTrue(child.process().isAlive(), child::output);
          long before = rounds.getLong(Long.BYTES);
          long round = followed(() -> {
            follower.catchUp();
            return follower.read(FollowerProcessTest::round);
          });
          assertTrue(before <= round && round <= rounds.getLong(0), () -> round + " after " + before);
          seen = round;
          try (RocksDb reading = followed(FollowedProgram.at(folder, option)::openReadOnly)) {
            assertTrue(seen <= reading.files().latestSequenceNumber());
          }
        }
        child.process().destroyForcibly().waitFor();
        follower.catchUp();
        last = follower.read(FollowerProcessTest::round);
      }
    }
    try (TransactionDb db = FollowedProgram.at(folder, ofWriter).openTransactional()) {
      assertEquals(last, round(db));
    }
  }

  /**
   * Repeats a read that fails with TRY_AGAIN: on a busy machine the writer may have changed its files during each
   * attempt to open them.
   */
  private static <T> T followed(Supplier<T> reading) {
    for (long limit = System.nanoTime() + LONGEST.toNanos();;) {
      try {
        return reading.get();
      } catch (RocksDbException e) {
        if (e.code() != Code.TRY_AGAIN || System.nanoTime() > limit) {
          throw e;
        }
      }
    }
  }

  /** Returns the round that wrote the rows of all families; fails if they are of several rounds. */
  private static long round(RocksDb db) {
    long round = number(db.get(FollowedProgram.key(0)));
    List<String> names = db.families().stream().map(ColumnFamily::name).toList();
    assertTrue(names.containsAll(FollowedProgram.FAMILIES), names::toString);
    for (ColumnFamily family : db.families()) {
      boolean isNew = family.name().equals(FollowedProgram.PASSING) && family.get(FollowedProgram.COUNTER) == null;
      if (!isNew) {
        assertRound(family, round);
      }
    }
    return round;
  }

  private static void assertRound(ColumnFamily family, long round) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < FollowedProgram.KEYS; i++) {
      keys.add(FollowedProgram.key(i));
    }
    keys.add(FollowedProgram.keyOf(round));
    for (byte[] value : family.multiGet(keys)) {
      assertArrayEquals(FollowedProgram.value(round), value, family::name);
    }
    boolean isPassing = family.name().equals(FollowedProgram.PASSING);
    long written = isPassing ? (round - 31) % 100 + 1 : round;
    assertEquals(written, number(family.get(FollowedProgram.COUNTER)), family::name);
    assertEquals(keys.size() + 1, family.stream(KeyRange.all(), row -> row.valueBytes().length).count());
  }

  private static long number(byte[] value) {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
