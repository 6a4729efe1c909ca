/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.Slice;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Tests slices that one thread clears while another reads them, in a JVM that may crash. */
class SliceChangeTest {
  private static final int ROUNDS = 20_000;
  // Large, so that the allocator returns the memory to the system immediately.
  private static final byte[] BYTES = new byte[200_000];
  private static volatile Slice current;

  @TempDir Path folder;

  @Test
  void whatClearsASliceWaitsForThoseWhoReadIt() throws IOException {
    assertEquals("read", ChildJvm.run(folder, SliceChangeTest.class, List.of()));
  }

  public static void main(String[] arguments) throws InterruptedException {
    RocksDB.loadLibrary();
    current = new Slice(BYTES);
    Thread reader = Thread.ofPlatform().daemon().start(SliceChangeTest::readAll);
    for (int round = 0; round < ROUNDS; round++) {
      Slice next = new Slice(BYTES);
      Slice cleared = current;
      current = next;
      cleared.clear();
      cleared.close();
    }
    Slice last = current;
    current = null;
    reader.join();
    last.close();
    System.out.print("read");
  }

  private static void readAll() {
    for (Slice slice = current; slice != null; slice = current) {
      try {
        slice.startsWith(slice);
      } catch (IllegalStateException closed) {
        continue;
      }
    }
  }
}
