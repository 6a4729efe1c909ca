/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.lang.IgniteException;
import org.apache.ignite.sql.ResultSet;
import org.apache.ignite.sql.SqlRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.clients.Program;

/** SQL on three nodes with replicas on the drop-in. Each node is killed during writes, and restarted. */
class TakenNodeTest {
  private static final int ENOUGH = 100;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  /** The last acknowledged amount of each row whose writes were all acknowledged. */
  private final Map<Integer, Integer> amounts = new ConcurrentSkipListMap<>();

  private final Set<Integer> unanswered = ConcurrentHashMap.newKeySet();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private volatile boolean ending;

  @Test
  void rowsThatWereAcknowledgedAreReadWhicheverNodeIsTaken() throws IOException, InterruptedException {
    Program program =
        new Program(SqlNode.class.getName(), System.getProperty("client.class.path"), SqlNodes.FLAGS, 0);
    try (SqlNodes nodes = new SqlNodes(program, folder);
        IgniteClient client = nodes.client()) {
      client.sql().execute(null, "CREATE ZONE three (REPLICAS 3, PARTITIONS 5) STORAGE PROFILES ['rows']");
      client.sql().execute(null, "CREATE TABLE accounts (id INT PRIMARY KEY, amount INT) ZONE three");
      Thread writer = Thread.ofPlatform().daemon().start(() -> write(client));
      for (int node = 0; node < SqlNodes.NODES; node++) {
        awaitWrites(nodes);
        nodes.kill(node);
        nodes.start(node);
        nodes.awaitAll();
      }
      awaitWrites(nodes);
      ending = true;
      writer.join();
      System.out.println(amounts.size() + " rows, and " + unanswered.size() + " with a write that was not answered");
      for (int node = 0; node < SqlNodes.NODES; node++) {
        nodes.await("all rows of three nodes", () -> amounts.equals(rows(client)));
        nodes.kill(node);
        nodes.await("all rows of two nodes", () -> amounts.equals(rows(client)));
        nodes.start(node);
        nodes.awaitAll();
      }
      nodes.end();
    }
  }

  private void awaitWrites(SqlNodes nodes) {
    int enough = acknowledged.get() + ENOUGH;
    nodes.await("writes", () -> acknowledged.get() >= enough);
  }

  /** Inserts rows and updates earlier ones. A row is not used after a write without a reply. */
  private void write(IgniteClient client) {
    for (int id = 0; !ending; id++) {
      write(client, "INSERT INTO accounts (amount, id) VALUES (?, ?)", id, id);
      int older = id - id % 7;
      if (!unanswered.contains(older)) {
        write(client, "UPDATE accounts SET amount = ? WHERE id = ?", id + 1_000_000, older);
      }
    }
  }

  private void write(IgniteClient client, String statement, int amount, int id) {
    try (ResultSet<SqlRow> done = client.sql().execute(null, statement, amount, id)) {
      amounts.put(id, amount);
      acknowledged.incrementAndGet();
    } catch (IgniteException e) {
      amounts.remove(id);
      unanswered.add(id);
    }
  }

  /** Reads the rows with known amounts. Reads may be stale, so tests wait until the rows are as expected. */
  private Map<Integer, Integer> rows(IgniteClient client) {
    try (ResultSet<SqlRow> found = client.sql().execute(null, "SELECT id, amount FROM accounts")) {
      Map<Integer, Integer> rows = new TreeMap<>();
      found.forEachRemaining(row -> rows.put(row.intValue(0), row.intValue(1)));
      rows.keySet().removeAll(unanswered);
      return rows;
    } catch (IgniteException e) {
      return Map.of();
    }
  }
}
