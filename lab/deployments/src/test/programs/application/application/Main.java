/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package application;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.netty.PinnedByteBuf;

/** A program on the core, Netty's module and the drop-in. It prints one line if each of them works. */
public final class Main {
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("application-");
    String core = core(folder.resolve("core"));
    String dropIn = dropIn(folder.resolve("drop-in"));
    System.out.println(core + " " + dropIn);
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static String core(Path path) {
    try (RocksDb db = RocksDb.open(path)) {
      db.put("key".getBytes(UTF_8), "core".getBytes(UTF_8));
      try (PinnedValue value = db.getPinned("key".getBytes(UTF_8))) {
        ByteBuf buffer = PinnedByteBuf.of(UnpooledByteBufAllocator.DEFAULT, value);
        String text = buffer.toString(UTF_8);
        buffer.release();
        return text;
      }
    }
  }

  private static String dropIn(Path path) throws Exception {
    RocksDB.loadLibrary();
    var flushed = new CountDownLatch(1);
    var listener =
        new AbstractEventListener(AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED) {
          @Override
          public void onFlushCompleted(RocksDB db, FlushJobInfo job) {
            flushed.countDown();
          }
        };
    try (Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener));
        RocksDB db = RocksDB.open(options, path.toString());
        var flush = new FlushOptions().setWaitForFlush(true)) {
      db.put("key".getBytes(UTF_8), "drop-in".getBytes(UTF_8));
      db.flush(flush);
      flushed.await();
      return new String(db.get("key".getBytes(UTF_8)), UTF_8);
    }
  }
}
