/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;

class EventLoopTest {
  @TempDir Path folder;

  @Test
  @Timeout(300)
  void aReadThatFailsEndsTheMeasurement() {
    try (RocksDb empty = RocksDb.open(folder);
        ExecutorService disk = Executors.newFixedThreadPool(1)) {
      EventLoop loop = new EventLoop(new LargeDatabase(folder, 1), 2, 3);
      ExecutionException failed = assertThrows(ExecutionException.class, () -> loop.measure(empty, disk));
      assertEquals("a row is missing", failed.getCause().getMessage());
    }
  }
}
