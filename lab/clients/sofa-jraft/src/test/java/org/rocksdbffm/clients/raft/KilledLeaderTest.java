/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.clients.Program;
import org.rocksdbffm.clients.Turn;
import org.rocksdbffm.clients.raft.Operation.Kind;

/**
 * A replicated store on the drop-in, whose leaders are killed while clients write, and restarted. A full sweep kills
 * more than twenty leaders. The history of all operations is written to {@code target/history.txt}.
 */
class KilledLeaderTest {
  private static final Long SWEEP = Long.getLong("rocksdbffm.sweep");
  private static final int ROUNDS = SWEEP == null ? 1 : 6;
  private static final int ANSWERS_BETWEEN = 100;
  private static final String CLASS_PATH = System.getProperty("client.class.path");
  private static final List<String> FLAGS = List.of("-Xmx256m", "-Dorg.slf4j.simpleLogger.showDateTime=true");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private Group group;
  private Clients clients;
  private int killed;

  @Test
  void nothingAcknowledgedIsLostAndAllMembersEndEqual() throws IOException, InterruptedException {
    List<Operation> operations = new ArrayList<>(operationsWhileKilled());
    Map<String, Long> rows = rowsOfAll();
    long written = operations.stream().filter(operation -> operation.kind() != Kind.GET).count();
    long unanswered = operations.stream().filter(operation -> operation.end() == Operation.NEVER).count();
    System.out.println(killed + " leaders killed, " + written + " writes and " + unanswered + " of them unanswered");
    assertTrue(unanswered > 0, "no write was under way when a leader was killed");
    operations.forEach(operation -> rows.putIfAbsent(operation.key(), Operation.ABSENT));
    long end = System.nanoTime();
    rows.forEach((key, value) -> operations.add(new Operation(key, -1, end, end, Kind.GET, 0, value)));
    Path file = Files.writeString(Path.of("target", "history.txt"), new History(operations).toString());
    assertEquals(Map.of(), History.parse(Files.readString(file)).violations(), () -> file + ", " + folder);
  }

  private List<Operation> operationsWhileKilled() throws IOException, InterruptedException {
    try (Group members = new Group(new Program(Member.class.getName(), CLASS_PATH, FLAGS, 0), folder)) {
      group = members;
      group.await("a leader", group::leader);
      try (Clients all = new Clients(group.endpoints(), SWEEP == null ? 1 : SWEEP)) {
        clients = all;
        for (int round = 0; round < ROUNDS; round++) {
          killLeader();
          killLeaderInSnapshot();
          killLeaderAndFollower();
          killLeaderTwice();
        }
        awaitAnswers();
      }
      group.await("all members to apply the same", group::isEven);
      group.end();
    }
    return clients.operations();
  }

  private void awaitAnswers() {
    long enough = clients.answers() + ANSWERS_BETWEEN;
    group.await("answers to clients", () -> clients.answers() >= enough);
  }

  private int killedLeader() {
    awaitAnswers();
    int leader = group.await("a leader", group::leader);
    group.kill(leader);
    killed++;
    return leader;
  }

  private void killLeader() throws IOException {
    group.start(killedLeader());
  }

  /** Kills leaders until one was killed before its snapshot was complete. */
  private void killLeaderInSnapshot() throws IOException {
    boolean during;
    do {
      awaitAnswers();
      int leader =
          group.await("a snapshot", () -> group.isTakingSnapshot(group.leader()) ? group.leader() : -1);
      group.kill(leader);
      killed++;
      during = group.isTakingSnapshot(leader);
      group.start(leader);
    } while (!during);
  }

  /** Kills two of three members: nothing can be written until one of them is restarted. */
  private void killLeaderAndFollower() throws IOException {
    int leader = killedLeader();
    int follower = (leader + 1) % Group.MEMBERS;
    group.kill(follower);
    group.start(follower);
    group.start(leader);
  }

  /** Kills the leader again during its restart, which rebuilds the store from the snapshot and the log. */
  private void killLeaderTwice() throws IOException {
    int leader = killedLeader();
    FileTime before = timeOfStore(leader);
    group.start(leader);
    group.await("a new store", () -> !timeOfStore(leader).equals(before));
    group.kill(leader);
    group.start(leader);
  }

  private FileTime timeOfStore(int member) {
    try {
      return Files.getLastModifiedTime(group.store(member).resolve("IDENTITY"));
    } catch (IOException deleted) {
      return FileTime.fromMillis(0);
    }
  }

  /** Returns the rows after a clean end; fails if the members' rows differ. */
  private Map<String, Long> rowsOfAll() throws IOException {
    List<String> storesAndFiles = new ArrayList<>();
    for (int member = 0; member < Group.MEMBERS; member++) {
      storesAndFiles.add(group.store(member).toString());
      storesAndFiles.add(folder.resolve("rows-" + member).toString());
    }
    new Program(StoredRows.class.getName(), CLASS_PATH, List.of(), 120)
        .answers(Turn.DROP_IN, folder.resolve("rows"), storesAndFiles.toArray(String[]::new));
    Path first = folder.resolve("rows-0");
    for (int member = 1; member < Group.MEMBERS; member++) {
      assertEquals(-1, Files.mismatch(first, folder.resolve("rows-" + member)), () -> "rows in " + folder);
    }
    Map<String, Long> rows = new TreeMap<>();
    for (String row : Files.readAllLines(first)) {
      String[] columns = row.split(" ", 3);
      assertEquals("default", columns[0]);
      rows.put(columns[1], Clients.number(columns[2]));
    }
    return rows;
  }
}
