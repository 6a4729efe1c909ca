/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hugegraph.backend.store.BackendEntry.BackendColumn;
import org.apache.hugegraph.backend.store.BackendEntry.BackendColumnIterator;
import org.apache.hugegraph.backend.store.rocksdb.RocksDBOptions;
import org.apache.hugegraph.backend.store.rocksdb.RocksDBSessions;
import org.apache.hugegraph.backend.store.rocksdb.RocksDBSessions.Session;
import org.apache.hugegraph.backend.store.rocksdb.RocksDBStdSessions;
import org.apache.hugegraph.config.HugeConfig;
import org.apache.hugegraph.config.OptionSpace;

/** The tables of a graph store, with scans, counters and snapshots, in three configurations. */
final class HugeGraph {
  private static final int ROWS = 3000;

  private HugeGraph() {}

  public static void main(String[] arguments) throws Exception {
    OptionSpace.register("rocksdb", RocksDBOptions.instance());
    run("plain", Map.of());
    run("optimized",
        Map.of("rocksdb.optimize_mode", "true", "rocksdb.use_direct_io_for_flush_and_compaction", "false"));
    run("bulkload", Map.of("rocksdb.bulkload_mode", "true", "rocksdb.memtable_bloom_size_ratio", "0.2"));
  }

  private static void run(String name, Map<String, Object> settings) throws Exception {
    Files.createDirectories(Path.of(name));
    HugeConfig configuration = new HugeConfig(new HashMap<>(settings));
    RocksDBSessions sessions = new RocksDBStdSessions(configuration, "graph", name, name + "/data", name + "/wal");
    sessions.createTable("vertex", "edge", "dropped");
    Session session = sessions.session();
    fill(session);
    read(name + " filled", session);
    session.deletePrefix("vertex", "row-0001".getBytes());
    session.deleteRange("vertex", key(2000), key(2500));
    session.delete("edge", key(7));
    session.commit();
    read(name + " deleted", session);
    session.compactRange("vertex");
    read(name + " compacted", session);
    sessions.dropTable("dropped");
    sessions.createSnapshot(name + "/snapshot");
    Answers.say(name + " tables", sessions.existsTable("vertex"), sessions.existsTable("dropped"));
    Answers.say(name + " closed", sessions.close());
    reopen(name, configuration, name + "/data");
    reopen(name + " snapshot", configuration, name + "/snapshot");
  }

  private static void reopen(String step, HugeConfig configuration, String folder) throws Exception {
    RocksDBSessions sessions =
        new RocksDBStdSessions(configuration, "graph", step, folder, folder + "-wal", List.of("vertex", "edge"));
    read(step + " reopened", sessions.session());
    Answers.say(step + " closed again", sessions.close());
  }

  private static void fill(Session session) {
    for (int row = 0; row < ROWS; row++) {
      session.put("vertex", key(row), ("value " + row).getBytes());
      session.put("edge", key(row), new byte[row % 100]);
      session.increase("dropped", key(row % 10), number(row));
      if (row % 500 == 499) {
        session.commit();
      }
    }
  }

  private static void read(String step, Session session) {
    Answers answers = new Answers();
    rows(answers, session.scan("vertex"));
    rows(answers, session.scan("edge"));
    rows(answers, session.scan("vertex", "row-0000".getBytes()));
    rows(answers, session.scan("vertex", key(100), key(300), Session.SCAN_GT_BEGIN | Session.SCAN_LTE_END));
    rows(answers, session.scan("vertex", key(2900), null, Session.SCAN_GTE_BEGIN));
    rows(answers, session.get("vertex", List.of(key(1), key(1500), key(9999))));
    answers.row(session.get("vertex", key(2100)) == null, session.get("edge", key(7)) == null);
    answers.row(new String(session.keyRange("vertex").getLeft()), new String(session.keyRange("vertex").getRight()));
    answers.end(step);
  }

  private static void rows(Answers answers, BackendColumnIterator rows) {
    while (rows.hasNext()) {
      BackendColumn row = rows.next();
      answers.row(row.name, row.value);
    }
    rows.close();
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(number).array();
  }

  private static byte[] key(int row) {
    return String.format("row-%08d", row).getBytes();
  }
}
