/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;

/** Tests that the build runs with Netty's leak detection at its strictest. */
class LeakDetectorTest {
  @TempDir Path folder;

  @Test
  void aBufferThatIsForgottenIsReported() throws InterruptedException {
    var reported = new CountDownLatch(1);
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord message) {
        if (message.getMessage().contains("LEAK") && message.getMessage().contains("PinnedByteBuf.of")) {
          reported.countDown();
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");
    logger.addHandler(handler);
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("key".getBytes(), new byte[10_000]);
      forget(db);
      // Netty checks for leaks when the next buffer is created.
      for (int i = 0; i < 3000 && reported.getCount() != 0; i++) {
        System.gc();
        Thread.sleep(20);
        PooledByteBufAllocator.DEFAULT.buffer().release();
      }
      assertEquals(0, reported.getCount());
      assertTrue(db.pins().count() <= 1);
    } finally {
      logger.removeHandler(handler);
    }
  }

  private static void forget(RocksDb db) {
    try (PinnedValue value = db.getPinned("key".getBytes())) {
      ByteBuf forgotten = PinnedByteBuf.of(PooledByteBufAllocator.DEFAULT, value);
      assertEquals(1, forgotten.refCnt());
    }
  }
}
