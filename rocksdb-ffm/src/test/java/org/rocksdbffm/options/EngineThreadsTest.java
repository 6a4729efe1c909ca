/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EngineThreads;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;

/** The engine's thread pools have the configured sizes. In child processes, because all databases share the pools. */
class EngineThreadsTest {
  private static void runs(String name) {
    ChildJvm.Finished finished = ChildJvm.of(Cases.class).run(name).assertExit(0);
    assertTrue(finished.output().contains(name + " done"), finished.output());
  }

  @Test
  void poolsHaveTheNumbersThatAreSet() {
    runs("numbers");
  }

  @Test
  void threadsOfALowerPriorityDoTheirWork() {
    runs("priorities");
  }

  @Test
  void aPoolHasAThreadAtLeastAndNotTooMany() {
    for (EngineThreads pool : EngineThreads.values()) {
      int before = pool.count();
      for (int count : new int[] {0, -1, Integer.MIN_VALUE, 1025, Integer.MAX_VALUE}) {
        IllegalArgumentException refused = assertThrowsExactly(IllegalArgumentException.class, () -> pool.count(count));
        assertEquals("count: " + count + ", but a pool has from 1 thread to 1024", refused.getMessage());
      }
      assertEquals(before, pool.count());
    }
    for (Runnable lowering
        : new Runnable[] {EngineThreads.BOTTOM::lowerCpuPriority, EngineThreads.BOTTOM::lowerIoPriority}) {
      UnsupportedOperationException refused = assertThrowsExactly(UnsupportedOperationException.class, lowering::run);
      assertTrue(refused.getMessage().contains("BOTTOM"), refused.getMessage());
    }
  }

  /** The code of the child processes. */
  static final class Cases {
    private Cases() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = Files.createTempDirectory("threads");
      if (arguments[0].equals("numbers")) {
        numbers(folder);
      } else {
        priorities(folder);
      }
      System.out.println(arguments[0] + " done");
    }

    private static void numbers(Path folder) {
      assertEquals(0, EngineThreads.BOTTOM.count());
      EngineThreads.LOW.count(7);
      EngineThreads.HIGH.count(3);
      EngineThreads.BOTTOM.count(2);
      DatabaseOptions eight = DatabaseOptions.defaults().maxBackgroundJobs(8);
      try (RocksDb db = RocksDb.at(folder).options(eight).open()) {
        assertEquals(7, EngineThreads.LOW.count(), "more than the database asks for");
        work(db);
        EngineThreads.LOW.count(1);
        EngineThreads.HIGH.count(1);
        work(db);
        assertEquals(1, EngineThreads.LOW.count());
        db.setDatabaseOptions(java.util.Map.of("max_background_jobs", "16"));
        assertEquals(12, EngineThreads.LOW.count());
        assertEquals(4, EngineThreads.HIGH.count());
        EngineThreads.LOW.count(1024);
        EngineThreads.LOW.count(1);
        work(db);
      }
    }

    private static void priorities(Path folder) throws Exception {
      EngineThreads.LOW.lowerCpuPriority();
      EngineThreads.HIGH.lowerCpuPriority();
      EngineThreads.LOW.lowerIoPriority();
      EngineThreads.HIGH.lowerIoPriority();
      try (RocksDb db = RocksDb.open(folder)) {
        work(db);
      }
    }

    private static void work(RocksDb db) {
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++) {
          db.put(("key" + i).getBytes(), new byte[100]);
        }
        db.flush();
      }
      db.compact(KeyRange.all());
      assertEquals(100, db.get("key999".getBytes()).length);
    }
  }
}
