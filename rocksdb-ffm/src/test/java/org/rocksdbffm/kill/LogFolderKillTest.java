/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Kills a process while it creates and destroys databases with separate WAL folders: the owner of each folder stays
 * known.
 */
@ExtendWith(LiveObjectsCheck.class)
final class LogFolderKillTest {
  private static final int ROUNDS = Sweeps.of(3, 100);
  private static final int LONGEST_MILLIS = 300;

  @TempDir Path folder;

  @Test
  void aKillLeavesEachFolderOfLogsToItsDatabase() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Path made = folder.resolve(LogFolderKillCases.MADE);
    int next = 1;
    for (int round = 0; round < ROUNDS; round++) {
      try (ChildJvm.Running child =
          ChildJvm.of(LogFolderKillCases.class).start(folder.toString(), Integer.toString(next))) {
        while (!Files.exists(made)) {
          assertTrue(child.process().isAlive(), child::output);
          Thread.sleep(1);
        }
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
        assertTrue(child.process().isAlive(), child::output);
        child.process().destroyForcibly().waitFor();
      }
      List<String> lines = Files.readAllLines(made);
      Files.delete(made);
      int last = Integer.parseInt(lines.getLast());
      for (int number = next; number <= last; number++) {
        if (number % LogFolderKillCases.DESTROYED != 0) {
          requireItsOwn(number, seed);
        }
      }
      // The next database may have been created partly, and the last one destroyed partly: neither gets rows of another
      // database.
      for (int number : new int[] {last, last + 1}) {
        try (RocksDb db =
            RocksDb.at(folder.resolve("db" + number)).options(LogFolderKillCases.options(folder, number)).open()) {
          byte[] value = db.get("key".getBytes(UTF_8));
          assertTrue(value == null || new String(value, UTF_8).equals(Integer.toString(number)), () -> "seed " + seed);
        } catch (RocksDbException e) {
          assertEquals(0, number % LogFolderKillCases.DESTROYED, e.getMessage() + ", seed " + seed);
        }
      }
      next = last + 2;
    }
  }

  private void requireItsOwn(int number, long seed) {
    RocksDbException refused =
        assertThrowsExactly(
            RocksDbException.class,
            () -> RocksDb.at(folder.resolve("another")).options(LogFolderKillCases.options(folder, number)).open());
    assertEquals(Code.INVALID_ARGUMENT, refused.code(), refused.getMessage() + ", seed " + seed);
    try (RocksDb db =
        RocksDb.at(folder.resolve("db" + number)).options(LogFolderKillCases.options(folder, number)).open()) {
      assertArrayEquals(Integer.toString(number).getBytes(UTF_8), db.get("key".getBytes(UTF_8)), "seed " + seed);
    }
    assertEquals(List.of(), RocksDb.destroy(folder.resolve("db" + number)));
    assertTrue(Files.notExists(folder.resolve("logs" + number)), "seed " + seed);
  }
}
