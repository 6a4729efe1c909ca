/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.cli.frame.Frame;

/** Printing a row allocates its key, its value and a few small objects, and no strings. */
class RowCostTest {
  private static final int ROWS = 20_000;
  private static final int KEY = 10;
  private static final int VALUE = 100;
  private static final int MOST = KEY + VALUE + 250; // array headers, the cells, and the row of cells

  @TempDir private Path folder;

  private static long allocated(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private static void run(String... arguments) {
    assertEquals(0, Frame.run(new Main(), OutputStream.nullOutputStream(), System.err, arguments));
  }

  private void write(int rows, boolean isText) {
    Random random = new Random(1);
    try (RocksDb db = RocksDb.open(folder)) {
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < rows; i++) {
        byte[] value = new byte[VALUE];
        random.nextBytes(value);
        for (int at = 0; isText && at < VALUE; at++) {
          value[at] = (byte) ('a' + (value[at] & 15));
        }
        batch.put("%010d".formatted(i).getBytes(), value);
      }
      db.write(batch);
      db.flush();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aScannedRowMakesNoText(boolean isText) {
    write(ROWS, isText);
    run("scan", folder.toString(), "-n", "10"); // loads the classes
    long few = allocated(() -> run("scan", folder.toString(), "-n", Integer.toString(ROWS / 2)));
    long all = allocated(() -> run("scan", folder.toString()));
    long each = (all - few) / (ROWS / 2);
    assertTrue(each <= MOST, "bytes for a row: " + each);
  }

  @Test
  void aDumpedRowMakesNoTextOfItsBytes() {
    write(ROWS, false);
    String half = "%010d".formatted(ROWS / 2);
    run("dump", folder.toString(), "--until", "0000000010");
    long few = allocated(() -> run("dump", folder.toString(), "--until", half));
    long all = allocated(() -> run("dump", folder.toString()));
    long each = (all - few) / (ROWS / 2);
    assertTrue(each <= MOST, "bytes for a row: " + each);
  }
}
