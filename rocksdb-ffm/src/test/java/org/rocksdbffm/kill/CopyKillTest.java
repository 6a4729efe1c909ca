/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/** Kills a process at random times while it copies a database: each copy is complete, or does not exist. */
@ExtendWith(LiveObjectsCheck.class)
final class CopyKillTest {
  private static final int ROUNDS = Sweeps.of(3, 100);

  @TempDir Path folder;

  @Test
  void aKillLeavesOlderBackupsGoodAndNoCopyInPieces() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int backedUp = 0;
    int generation = 1;
    for (int round = 0; round < ROUNDS; round++) {
      for (String name : List.of("backed-up", "copied", "restored")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      try (ChildJvm.Running child =
          ChildJvm.of(CopyKillCases.class).start(folder.toString(), Integer.toString(generation))) {
        while (!Files.exists(folder.resolve("backed-up"))) {
          assertTrue(child.process().isAlive(), child::output);
          Thread.sleep(1);
        }
        Thread.sleep(random.nextInt(400));
        child.process().destroyForcibly().waitFor();
      }
      generation = 1 + verify(seed);
      backedUp += lines("backed-up").size();
    }
    assertTrue(backedUp >= ROUNDS, backedUp + " backups");
    // The next copies delete the files of interrupted copies.
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(folder.resolve("backups"), CopyKillCases.BACKUPS)) {
      CopyKillCases.write(db, generation);
      int id = backups.create(db).id();
      backups.keepLatest(1);
      try (Stream<Path> left = Files.list(folder.resolve("backups/private"))) {
        assertEquals(List.of(Integer.toString(id)), left.map(each -> each.getFileName().toString()).toList());
      }
      backups.restoreLatest(folder.resolve("last"));
    }
    assertEquals(generation, CopyKillCases.generation(folder.resolve("last")));
  }

  private List<String> lines(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** Checks all copies, and returns the number of the last generation that may have been written. */
  private int verify(long seed) throws IOException {
    int last = 0;
    Map<Integer, String> made = new HashMap<>();
    for (String line : lines("backed-up")) {
      made.put(Integer.parseInt(line.split(" ")[0]), line.split(" ")[1]);
    }
    try (Backups backups = Backups.open(folder.resolve("backups"), CopyKillCases.BACKUPS)) {
      int newest = 0;
      for (Backup each : backups.list()) {
        backups.verify(each.id());
        newest = Math.max(newest, each.id());
        last = Math.max(last, Integer.parseInt(each.note()));
      }
      int promised = made.keySet().stream().max(Integer::compare).orElse(0);
      assertTrue(newest >= promised, "seed " + seed + ": backup " + promised + " is lost");
      Path restored = folder.resolve("again");
      Backup latest = backups.restoreLatest(restored);
      assertEquals(latest.note(), Integer.toString(CopyKillCases.generation(restored)), "seed " + seed);
      RocksDb.destroy(restored);
    }
    for (String kind : List.of("copy", "restored")) {
      for (String line : lines(kind.equals("copy") ? "copied" : kind)) {
        assertTrue(Files.exists(folder.resolve(kind + line)), "seed " + seed + ": " + kind + line + " is lost");
      }
      for (Path copy : copies(kind)) {
        String number = copy.getFileName().toString().substring(kind.length());
        assertEquals(number, Integer.toString(CopyKillCases.generation(copy)), "seed " + seed);
        RocksDb.destroy(copy);
        last = Math.max(last, Integer.parseInt(number));
      }
    }
    repeat(seed);
    return last + 1; // the next generation may have been written partly
  }

  /** Creates the interrupted copies again, under the same names. */
  private void repeat(long seed) throws IOException {
    List<String> left;
    try (Stream<Path> all = Files.list(folder)) {
      left =
          all.map(each -> each.getFileName().toString()).filter(name -> name.matches(".*\\.(tmp|restoring)")).toList();
    }
    for (String name : left) {
      Path target = folder.resolve(name.substring(0, name.lastIndexOf('.')));
      if (name.endsWith(".tmp")) {
        try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
          CopyKillCases.write(db, 1); // the database may have rows of two generations
          db.files().checkpoint(target);
        }
        assertEquals(1, CopyKillCases.generation(target), "seed " + seed);
      } else {
        try (Backups backups = Backups.open(folder.resolve("backups"), CopyKillCases.BACKUPS)) {
          Backup latest = backups.restoreLatest(target);
          assertEquals(latest.note(), Integer.toString(CopyKillCases.generation(target)), "seed " + seed);
        }
      }
      assertFalse(Files.exists(folder.resolve(name)), "seed " + seed + ": " + name + " is left");
      RocksDb.destroy(target);
    }
  }

  private List<Path> copies(String kind) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().matches(kind + "\\d+")).toList();
    }
  }

  @Test
  void aBackupThatTheDiskRefusesIsToldAndTheOlderOnesStay() throws IOException {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(folder.resolve("backups"))) {
      backups.create(db);
      CopyKillCases.write(db, 1); // a table of 800 kB
      db.flush();
    }
    ChildJvm.of(CopyKillCases.Full.class).underLimit("-f 512").run(folder.toString()).assertExit(0);
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Backups backups = Backups.open(folder.resolve("backups"))) {
      int id = backups.create(db).id();
      backups.verify(id);
      assertEquals(2, backups.list().size());
    }
  }
}
