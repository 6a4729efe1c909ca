/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdbffm.compat.tools.CountedCalls;

/** Tests how many calls of native code the methods take that programs call most. */
class CallCountTest {
  private static final byte[] SMALL = "small".getBytes();
  private static final byte[] LARGE = "large".getBytes();

  /** An iterator is made, finds a row and is closed. */
  private static final Map<String, Integer> SCAN =
      Map.of(
          "Java_org_rocksdb_RocksDB_iterator", 1,
          "rocksdb_ffm_scan", 1,
          "Java_org_rocksdb_RocksIterator_disposeInternalJni", 1);

  @TempDir Path folder;

  @Test
  void mostMethodsTakeOneCall() throws Exception {
    assertEquals(
        Map.of(
            "get", Map.of("rocksdb_ffm_get", 1),
            "get of a large value", Map.of("rocksdb_ffm_get", 1, "bindings", 1, "rocksdb_pinnableslice_destroy", 1),
            "get into an array", Map.of("bindings", 1),
            "get with options", Map.of("rocksdb_ffm_get", 1),
            "put", Map.of("rocksdb_put_cf", 1),
            "scan", SCAN),
        counts());
  }

  @SuppressWarnings("unchecked")
  private Map<String, Map<String, Integer>> counts() throws Exception {
    Class<?> program = new CountedCalls().loadClass(Program.class.getName());
    return ((Function<String, Map<String, Map<String, Integer>>>) program.getConstructor().newInstance())
        .apply(folder.toString());
  }

  /** Is loaded with the drop-in whose calls are counted. */
  public static final class Program implements Function<String, Map<String, Map<String, Integer>>> {
    private interface Work {
      void run() throws RocksDBException;
    }

    @Override
    public Map<String, Map<String, Integer>> apply(String folder) {
      try (Options options = new Options().setCreateIfMissing(true);
          ReadOptions reading = new ReadOptions();
          RocksDB db = RocksDB.open(options, folder)) {
        db.put(SMALL, new byte[100]);
        db.put(LARGE, new byte[100_000]);
        return Map.of(
            "get", calls(() -> db.get(SMALL)),
            "get of a large value", calls(() -> db.get(LARGE)),
            "get into an array", calls(() -> db.get(SMALL, new byte[200])),
            "get with options", calls(() -> db.get(reading, SMALL)),
            "put", calls(() -> db.put(SMALL, new byte[100])),
            "scan", calls(() -> scan(db, reading)));
      } catch (RocksDBException e) {
        throw new AssertionError(e);
      }
    }

    private static void scan(RocksDB db, ReadOptions reading) {
      try (RocksIterator iterator = db.newIterator(reading)) {
        iterator.seek(SMALL);
        if (iterator.isValid()) {
          iterator.key();
          iterator.value();
        }
      }
    }

    /** Of the second time: some calls are made once. */
    private static Map<String, Integer> calls(Work work) {
      Runnable action =
          () -> {
            try {
              work.run();
            } catch (RocksDBException e) {
              throw new AssertionError(e);
            }
          };
      action.run();
      return CountedCalls.of(action);
    }
  }
}
