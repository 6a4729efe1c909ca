/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.MemTableInfo;
import org.rocksdb.Options;
import org.rocksdb.ReusedSynchronisationType;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.TraceOptions;

/** Callbacks that use their database. Prints the outcome of each case in the arguments. */
final class ReentranceProgram {
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};

  private final Options options = new Options().setCreateIfMissing(true);
  private final CountDownLatch called = new CountDownLatch(1);
  private RocksDB db;
  private volatile String told;

  private ReentranceProgram() {}

  private interface Use {
    void of(RocksDB db) throws RocksDBException;
  }

  private static final Use PUT = db -> db.put(OTHER, OTHER);
  private static final Use GET = db -> db.get(KEY);
  private static final Use CLOSE = RocksDB::close;
  private static final Use ITERATE = db -> db.newIterator().close();

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    Map<String, Use> uses = Map.of("put", PUT, "get", GET, "close", CLOSE, "iterate", ITERATE);
    for (String argument : arguments) {
      String[] words = argument.split(" ");
      ReentranceProgram program = new ReentranceProgram();
      program.run(words[0], uses.get(words[1]), argument);
    }
    System.exit(0);
  }

  private void run(String callback, Use use, String name) throws Exception {
    AbstractTraceWriter trace = null;
    switch (callback) {
      case "comparator" -> options.setComparator(comparator(ReusedSynchronisationType.ADAPTIVE_MUTEX, 64, use));
      case "threads'-comparator" -> options.setComparator(comparator(ReusedSynchronisationType.THREAD_LOCAL, 64, use));
      case "large-keys'-comparator" -> options.setComparator(comparator(ReusedSynchronisationType.MUTEX, 0, use));
      case "sealed-listener" -> options.setListeners(List.of(onSealed(use)));
      case "flush-listener" -> options.setListeners(List.of(onFlushed(use)));
      case "logger" -> options.setLogger(logger(use));
      case "trace-writer" -> trace = traceWriter(use);
      default -> throw new AssertionError(callback);
    }
    db = RocksDB.open(options, name.replace(' ', '-'));
    String caller = "it returned";
    try {
      if (trace != null) {
        db.startTrace(new TraceOptions(), trace);
      }
      db.put(KEY, KEY);
      db.put(new byte[] {3}, KEY);
      db.flush(new FlushOptions());
    } catch (IllegalStateException e) {
      caller = "it threw";
    }
    called.await();
    System.out.println(name + ": " + told + "; " + caller);
    db.close();
  }

  private void use(Use use) {
    RocksDB its = db;
    if (its == null || told != null) {
      return;
    }
    try {
      use.of(its);
      told = "done";
    } catch (IllegalStateException e) {
      told = e.getMessage();
      throw e;
    } catch (RocksDBException e) {
      told = e.toString();
    } finally {
      called.countDown();
    }
  }

  private AbstractComparator comparator(ReusedSynchronisationType type, int reused, Use use) {
    ComparatorOptions its = new ComparatorOptions().setReusedSynchronisationType(type).setMaxReusedBufferSize(reused);
    return new AbstractComparator(its) {
      @Override
      public String name() {
        return "bytes";
      }

      @Override
      public int compare(ByteBuffer a, ByteBuffer b) {
        use(use);
        return a.compareTo(b);
      }
    };
  }

  private AbstractEventListener onSealed(Use use) {
    return new AbstractEventListener() {
      @Override
      public void onMemTableSealed(MemTableInfo info) {
        use(use);
      }
    };
  }

  private AbstractEventListener onFlushed(Use use) {
    return new AbstractEventListener() {
      @Override
      public void onFlushCompleted(RocksDB ignored, FlushJobInfo info) {
        use(use);
      }
    };
  }

  private Logger logger(Use use) {
    return new Logger(InfoLogLevel.INFO_LEVEL) {
      @Override
      protected void log(InfoLogLevel level, String message) {
        use(use);
      }
    };
  }

  private AbstractTraceWriter traceWriter(Use use) {
    Consumer<Use> its = this::use;
    return new AbstractTraceWriter() {
      @Override
      public void write(Slice slice) {
        its.accept(use);
      }

      @Override
      public void closeWriter() {}

      @Override
      public long getFileSize() {
        return 0;
      }
    };
  }
}
