/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.tools.ChildJvm;

/**
 * A database whose memory was a closed database's reads and writes its own default family, and not the closed
 * database's.
 */
class ReopenedTest {
  private static final int OPENINGS = 60;

  @TempDir Path folder;

  @Test
  void aDatabaseAtTheAddressOfAClosedOneUsesItsOwnDefaultFamily() throws IOException {
    assertEquals("read", ChildJvm.run(folder, ReopenedTest.class, List.of()));
  }

  /** Opens databases until addresses were used again; a database that uses freed memory ends the process. */
  public static void main(String[] arguments) throws RocksDBException {
    Set<Long> addresses = new HashSet<>();
    int reused = 0;
    try (Options options = new Options().setCreateIfMissing(true)) {
      for (int i = 0; i < OPENINGS; i++) {
        byte[] key = ("key " + i).getBytes(UTF_8);
        try (RocksDB kept = RocksDB.open(options, "kept " + i);
            RocksDB db = RocksDB.open(options, "db " + i)) {
          reused += addresses.add(db.getNativeHandle()) ? 0 : 1;
          db.put(key, key);
          kept.put(key, new byte[] {1});
          require(new String(db.get(key), UTF_8).equals("key " + i) && kept.get(key).length == 1, "another value");
        }
      }
    }
    require(reused > 0, "no address was used again");
    System.out.print("read");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
