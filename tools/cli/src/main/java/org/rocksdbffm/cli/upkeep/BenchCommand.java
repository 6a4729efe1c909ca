/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.cli.frame.RowPrinter;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures a database like {@code db_bench}: the same names, keys of 16 bytes, values that compress to a half. */
@CommandLine.Command(
    name = "bench",
    description = "Measures reads and writes as db_bench does, on a new database that is kept.")
public final class BenchCommand extends Command {
  private static final int KEY = 16;
  private static final int DATA = 1 << 20;
  private static final int NOTE = 1 << 10; // the number of operations between updates of the progress

  @Parameters(index = "0", paramLabel = "DIR", description = "folder of the database, which must not exist")
  private Path folder;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "BENCHMARK",
      description = "what to do, in order: ${COMPLETION-CANDIDATES}")
  private List<Kind> kinds;

  @Option(names = "--use-existing", description = "use a database that is there; writing benchmarks change it")
  private boolean existing;

  @Option(names = "--num", paramLabel = "ROWS",
      description = "keys, and operations of a thread (default: ${DEFAULT-VALUE})")
  private long num = 1_000_000;

  @Option(names = "--value-size", paramLabel = "BYTES", description = "of a value (default: ${DEFAULT-VALUE})")
  private int valueSize = 100;

  @Option(names = "--threads", paramLabel = "COUNT",
      description = "that do the same at the same time (default: ${DEFAULT-VALUE})")
  private int threads = 1;

  private final byte[] data = new byte[DATA];

  /** The benchmarks, with the names of db_bench. */
  private enum Kind {
    FILLSEQ {
      @Override
      long run(Work work, long operation) {
        return work.put(operation);
      }
    },
    FILLRANDOM {
      @Override
      long run(Work work, long operation) {
        return work.put(work.random());
      }
    },
    OVERWRITE {
      @Override
      long run(Work work, long operation) {
        return work.put(work.random());
      }
    },
    READRANDOM {
      @Override
      long run(Work work, long operation) {
        byte[] value = work.db.get(work.key(work.random()));
        return value == null ? 0 : KEY + value.length;
      }
    },
    READSEQ {
      @Override
      long run(Work work, long operation) {
        return work.next();
      }
    },
    SEEKRANDOM {
      @Override
      long run(Work work, long operation) {
        return work.seek();
      }
    };

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Runs an operation, and returns the size of the row; 0 if absent. */
    abstract long run(Work work, long operation);
  }

  /** The operations of a thread. */
  private final class Work implements AutoCloseable {
    private final RocksDb db;
    private final SplittableRandom random;
    private final ByteBuffer key = ByteBuffer.allocate(KEY);
    private Scan scan;
    private Cursor cursor;
    private long bytes;
    private long rows;

    private Work(RocksDb db, long seed) {
      this.db = db;
      this.random = new SplittableRandom(seed);
      Arrays.fill(key.array(), (byte) '0');
    }

    private long random() {
      return random.nextLong(num);
    }

    private byte[] key(long number) {
      return key.putLong(0, number).array();
    }

    private long put(long number) {
      int from = random.nextInt(DATA - valueSize + 1);
      db.put(key(number), Arrays.copyOfRange(data, from, from + valueSize));
      return KEY + valueSize;
    }

    private long next() {
      if (scan == null) {
        scan = db.scan(KeyRange.all());
      }
      return scan.next() ? scan.keySize() + scan.valueSize() : 0;
    }

    private long seek() {
      if (cursor == null) {
        cursor = db.cursor();
      }
      return cursor.seek(key(random())) ? cursor.keySize() + cursor.valueSize() : 0;
    }

    private Work run(Kind kind, AtomicLong done, ProgressLine progress) {
      for (long i = 0; i < num; i++) {
        long size = kind.run(this, i);
        bytes += size;
        rows += size == 0 ? 0 : 1;
        if (i % NOTE == NOTE - 1) {
          progress.at(done.addAndGet(NOTE));
        }
      }
      return this;
    }

    @Override
    public void close() {
      if (scan != null) {
        scan.close();
      }
      if (cursor != null) {
        cursor.close();
      }
    }
  }

  @Override
  protected ExitCode run(Output out) throws Exception {
    if (num < 1 || threads < 1 || threads > 1024 || valueSize < 0 || valueSize > DATA) {
      throw new IllegalArgumentException(
          "--num " + num + ", --threads " + threads + ", --value-size " + valueSize
              + ": they must be at least 1, from 1 to 1024, and from 0 to " + DATA);
    }
    fill();
    try (RocksDb db = existing ? Database.at(folder).open() : RocksDb.at(folder).mustNotExist().open();
        RowPrinter table = out.live("benchmark", "operations", "rows", "micros/op", "ops/s", "MiB/s")) {
      for (Kind kind : kinds) {
        measure(db, kind, out, table);
      }
    }
    return ExitCode.DONE;
  }

  /** Fills the values: in each 100 bytes, the second half repeats the first, to compress like db_bench's values. */
  private void fill() {
    SplittableRandom random = new SplittableRandom(301);
    for (int i = 0; i < DATA; i++) {
      data[i] = i % 100 < 50 ? (byte) (' ' + random.nextInt(95)) : data[i - 50];
    }
  }

  private void measure(RocksDb db, Kind kind, Output out, RowPrinter table) throws Exception {
    List<Callable<Work>> parts = new ArrayList<>();
    AtomicLong done = new AtomicLong();
    long began = System.nanoTime();
    long rows = 0;
    long bytes = 0;
    try (ProgressLine progress = out.progress(num * threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        long seed = 1000L + i;
        parts.add(() -> {
          try (Work work = new Work(db, seed)) {
            return work.run(kind, done, progress);
          }
        });
      }
      for (Future<Work> part : pool.invokeAll(parts)) {
        rows += part.get().rows;
        bytes += part.get().bytes;
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    long operations = num * threads;
    table.row(
        kind.toString(),
        operations,
        rows,
        seconds * 1e6 * threads / operations,
        operations / seconds,
        bytes / seconds / ByteSize.mib(1).bytes());
  }
}
