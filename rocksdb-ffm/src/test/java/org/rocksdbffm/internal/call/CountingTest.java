/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that the engine's PerfContext counters, which cost time, are enabled only on request. */
class CountingTest {
  @ParameterizedTest
  @CsvSource({"false, nothing", "true, something"})
  void threadsCountWhatTheyDoOnlyWhereTheyAreToldTo(boolean counting, String counted) {
    ChildJvm child = ChildJvm.of(ReadAndWrite.class).with("-Dorg.rocksdbffm.counting=" + counting);
    String expected = "put: %1$s\nbatch: %1$s\nget: %1$s\nget into: %1$s\nmulti-get: %1$s\nscan: %1$s\n";
    assertEquals(expected.formatted(counted), child.run().assertExit(0).output());
  }

  static final class ReadAndWrite {
    private static final int USER_KEY_COMPARISONS = 0;
    private static final MethodHandle CREATE =
        Downcalls.link("rocksdb_perfcontext_create", MethodType.methodType(long.class));
    private static final MethodHandle METRIC =
        Downcalls.link("rocksdb_perfcontext_metric", MethodType.methodType(long.class, long.class, int.class));
    private static final MethodHandle DESTROY =
        Downcalls.link("rocksdb_perfcontext_destroy", MethodType.methodType(void.class, long.class));

    private interface Work {
      void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
      try (RocksDb db = RocksDb.open(Path.of("db"))) {
        for (int i = 0; i < 100; i++) {
          db.put(key(i), key(i));
        }
        print("put", () -> db.put(key(50), key(50)));
        print("batch", () -> write(db));
        print("get", () -> db.get(key(50)));
        print("get into", () -> db.getInto(key(50), new byte[8]));
        print("multi-get", () -> db.multiGet(List.of(key(20), key(50))));
        print("scan", () -> scan(db));
      }
    }

    private static void write(RocksDb db) {
      WriteBatch batch = new WriteBatch();
      batch.put(key(30), key(30));
      db.write(batch);
    }

    private static void scan(RocksDb db) {
      try (Scan scan = db.scan(KeyRange.from(key(40)))) {
        scan.next();
      }
    }

    private static byte[] key(int number) {
      return "key%03d".formatted(number).getBytes(UTF_8);
    }

    /** Runs work on a new thread, and prints its counts. */
    private static void print(String name, Work work) throws Exception {
      FutureTask<Long> comparisons =
          new FutureTask<>(
              () -> {
                work.run();
                return comparisons();
              });
      Thread.ofPlatform().start(comparisons);
      System.out.println(name + ": " + (comparisons.get() == 0 ? "nothing" : "something"));
    }

    private static long comparisons() {
      try {
        long context = (long) CREATE.invokeExact();
        long metric = (long) METRIC.invokeExact(context, USER_KEY_COMPARISONS);
        DESTROY.invokeExact(context);
        return metric;
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
