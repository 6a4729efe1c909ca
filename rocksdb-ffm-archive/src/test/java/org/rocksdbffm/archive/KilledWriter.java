/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.nio.file.Path;
import java.time.Duration;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;

/** Writes and archives until it is killed; prints the sequence numbers that can be restored. */
final class KilledWriter {
  private KilledWriter() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    Workload workload = new Workload(Long.parseLong(arguments[2]));
    ObjectStore store = new HostileStore(FolderStore.open(folder.resolve("store")), seed, 15);
    try (RocksDb db = workload.open(folder.resolve("db"));
        Archiver archiver =
            Archive.in(store).start(db, Await.FAST.every(Duration.ofMillis(10), Duration.ofMillis(300)))) {
      if (db instanceof TransactionDb transactional) {
        for (Transaction prepared : transactional.prepared()) {
          prepared.rollback();
          prepared.close();
        }
      }
      long step = Workload.lastStep(db);
      long printed = 0;
      while (true) {
        step++;
        workload.run(db, step, folder);
        Archiver.Status status = archiver.status();
        if (status.phase() == Archiver.Phase.STOPPED || status.phase() == Archiver.Phase.FENCED) {
          System.out.println("stopped: " + status);
          return;
        }
        if (status.sequence() > printed) {
          printed = status.sequence();
          System.out.println(printed);
        }
        Thread.sleep(2);
      }
    }
  }
}
