/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Kills a process at random times while it prepares and commits transactions: each transaction that was reported as
 * committed is committed completely; each that was reported as prepared is found again until it is ended; and one in
 * progress is in either state.
 */
@ExtendWith(LiveObjectsCheck.class)
final class TransactionKillTest {
  private static final int ROUNDS = Sweeps.of(3, 100);

  @TempDir Path folder;

  // The last reported step of each promise, and the outcome of promises that an earlier round has ended.
  private final Map<String, String> said = new HashMap<>();

  @Test
  void committedTransactionsAreWholeAndPreparedOnesAreFoundAgain() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (TransactionDb db = TransactionDb.open(folder.resolve("db"))) {
      for (int i = 0; i < TransactionKillCases.ACCOUNTS; i++) {
        db.put(TransactionKillCases.account(i), bytes("" + TransactionKillCases.BALANCE));
      }
    }
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Files.deleteIfExists(folder.resolve("promises"));
      try (ChildJvm.Running child =
          ChildJvm.of(TransactionKillCases.class).start(folder.toString(), Integer.toString(round))) {
        while (lines("promises").stream().noneMatch(line -> line.startsWith("prepared "))) {
          assertTrue(child.process().isAlive(), child::output);
          Thread.sleep(1);
        }
        Thread.sleep(random.nextInt(300));
        child.process().destroyForcibly().waitFor();
      }
      for (String line : lines("promises")) {
        String[] words = line.split(" ");
        said.put(words[1], words[0]);
      }
      found += verify(random, "seed " + seed + ", round " + round);
    }
    assertTrue(found > 0, "nothing that was prepared was found");
  }

  private List<String> lines(String file) throws IOException {
    Path path = folder.resolve(file);
    if (!Files.exists(path)) {
      return List.of();
    }
    String all = Files.readString(path);
    return all.substring(0, all.lastIndexOf('\n') + 1).lines().toList(); // the last line may be incomplete
  }

  /** Compares the database with the output, and ends some of the prepared transactions. */
  private int verify(Random random, String where) throws IOException {
    try (TransactionDb db = TransactionDb.open(folder.resolve("db"))) {
      int sum = 0;
      for (int i = 0; i < TransactionKillCases.ACCOUNTS; i++) {
        sum += TransactionKillCases.number(db, TransactionKillCases.account(i));
      }
      assertEquals(TransactionKillCases.ACCOUNTS * TransactionKillCases.BALANCE, sum, where);
      List<String> moved = lines(TransactionKillCases.MOVED);
      int acknowledged = moved.isEmpty() ? 0 : Integer.parseInt(moved.getLast());
      assertTrue(TransactionKillCases.number(db, bytes(TransactionKillCases.MOVED)) >= acknowledged, where);
      List<Transaction> prepared = db.prepared();
      Set<String> names = new HashSet<>();
      prepared.forEach(each -> names.add(each.preparedName().orElseThrow()));
      said.forEach((name, last) -> verify(db, name, last, names.contains(name), where));
      for (Transaction each : prepared) {
        String name = each.preparedName().orElseThrow();
        assertEquals(2000, each.get(bytes(name + "/2")).length, where);
        switch (random.nextInt(3)) {
          case 0 -> {
            each.commit();
            said.put(name, "committed");
          }
          case 1 -> {
            each.rollback();
            said.put(name, "rolledback");
          }
          default -> said.put(name, "prepared"); // stays prepared until the next round
        }
        each.close();
      }
      said.values().removeIf(last -> last.equals("prepare")); // it was not prepared, or was found
      return prepared.size();
    }
  }

  private static void verify(TransactionDb db, String name, String last, boolean isPrepared, String where) {
    boolean first = db.contains(bytes(name + "/1"));
    String what = where + ": " + name + " after " + last;
    assertEquals(first, db.contains(bytes(name + "/2")), what + " is there in part");
    switch (last) {
      case "prepare" -> assertTrue(!first, what);
      case "prepared" -> assertTrue(isPrepared && !first, what);
      case "commit" -> assertTrue(isPrepared ^ first, what);
      case "committed" -> assertTrue(!isPrepared && first, what);
      case "rollback" -> assertTrue(!first, what);
      case "rolledback" -> assertTrue(!isPrepared && !first, what);
      default -> throw new AssertionError(last);
    }
  }
}
