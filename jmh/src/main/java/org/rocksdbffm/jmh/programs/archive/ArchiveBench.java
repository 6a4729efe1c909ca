/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.archive.Archive;
import org.rocksdbffm.archive.Archiver;
import org.rocksdbffm.archive.FolderStore;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench archive}: bytes and requests next to the backup engine, and the writer's speed. */
public final class ArchiveBench {
  private static final String USAGE =
      """
      usage: ./bench archive [--mib N] [--seconds N] [--runs N] [--rate MIB]
      Fills a database with N MiB of rows of 1 KiB, archives it and backs it up to folders, rewrites one row in a
      hundred, and does both again. Then measures a writer of rows of 1 KiB for some seconds, alternately with and
      without an archive: as fast as it can, and at a rate of MiB per second.
      """;

  private static final int MOST = 1_000_000;
  private static final int VALUE = 1000;
  private static final int ROWS_OF_A_MIB = 1024;
  private static final Archiver.Options OPTIONS =
      Archiver.Options.defaults().leastBetweenBases(Duration.ZERO).closeWithin(Duration.ofMinutes(10));

  private final Random random = new Random(1);
  private final byte[] value = new byte[VALUE];

  private ArchiveBench() {}

  /** Runs both parts. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, ArchiveBench::start, words);
  }

  private static int start(String... arguments) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--mib", "--seconds", "--runs", "--rate"), arguments);
    ArchiveBench bench = new ArchiveBench();
    bench.copies(line.number("--mib", 1024, MOST));
    int seconds = line.number("--seconds", 10, MOST);
    int runs = line.number("--runs", 5, MOST);
    bench.writers(seconds, runs, 0);
    bench.writers(seconds, runs, line.number("--rate", 10, MOST));
    return 0;
  }

  private void put(RocksDb db, long row) {
    random.nextBytes(value);
    Arrays.fill(value, VALUE / 2, VALUE, (byte) row); // half of it can be compressed
    db.put(ByteBuffer.allocate(Long.BYTES).putLong(row).array(), value);
  }

  /** Archives and backs up a database, before and after a change of one row in a hundred. */
  private void copies(int mib) throws Exception {
    long rows = (long) mib * ROWS_OF_A_MIB;
    try (TemporaryFolder folder = TemporaryFolder.create();
        RequestCount store = new RequestCount(FolderStore.open(folder.path().resolve("archive")));
        RocksDb db = RocksDb.open(folder.path().resolve("db"));
        Backups backups = Backups.open(folder.path().resolve("backups"))) {
      for (long row = 0; row < rows; row++) {
        put(db, row);
      }
      db.compact(KeyRange.all(), CompactOptions.defaults());
      Set<Path> known = new HashSet<>();
      System.out.printf("%d MiB of rows, then one in a hundred is rewritten%n", mib);
      for (String state : new String[] {"all rows", "the change"}) {
        if (state.equals("the change")) {
          for (long row = 0; row < rows / 100; row++) {
            put(db, random.nextLong(rows));
          }
        }
        try (Archiver archiver = Archive.in(store).start(db, OPTIONS)) {
          while (archiver.status().bases() == 0) {
            Thread.sleep(5);
          }
        }
        print("archive, " + state, store.take());
        backups.create(db);
        print("backup, " + state, newFiles(folder.path().resolve("backups"), known));
      }
    }
  }

  private static void print(String what, RequestCount.Sent sent) {
    double mib = sent.bytes() / (double) ByteSize.mib(1).bytes();
    System.out.printf("%-20s %6d requests or files %8.1f MiB%n", what, sent.count(), mib);
  }

  private static RequestCount.Sent newFiles(Path folder, Set<Path> known) throws IOException {
    long files = 0;
    long bytes = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (known.add(file)) {
          files++;
          bytes += Files.size(file);
        }
      }
    }
    return new RequestCount.Sent(files, bytes);
  }

  /** The speed of a writer in rows per second, and the 99th percentile of a put in nanoseconds. */
  private record Speed(double rows, long p99) {}

  /** Measures a writer alternately with and without an archive; a rate of zero is as fast as it can. */
  private void writers(int seconds, int runs, int mibPerSecond) throws Exception {
    double[] ratios = new double[runs];
    System.out.printf("%na writer %s%n", mibPerSecond == 0 ? "as fast as it can" : "of " + mibPerSecond + " MiB/s");
    for (int run = 0; run < runs; run++) {
      Speed[] both = new Speed[2];
      for (int side = 0; side < 2; side++) {
        boolean isArchived = (side + run) % 2 == 0; // the order alternates
        both[isArchived ? 1 : 0] = writer(isArchived, seconds, mibPerSecond);
      }
      ratios[run] = both[1].rows / both[0].rows;
      System.out.printf(
          "rows/s without %.0f, with %.0f, ratio %.3f; p99 of a put without %.1f us, with %.1f us%n",
          both[0].rows, both[1].rows, ratios[run], both[0].p99 / 1e3, both[1].p99 / 1e3);
    }
    Arrays.sort(ratios);
    System.out.printf("median ratio %.3f (%.3f to %.3f)%n", ratios[runs / 2], ratios[0], ratios[runs - 1]);
  }

  private Speed writer(boolean isArchived, int seconds, int mibPerSecond) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create();
        FolderStore store = FolderStore.open(folder.path().resolve("archive"));
        RocksDb db = RocksDb.open(folder.path().resolve("db"));
        Archiver archiver = isArchived ? Archive.in(store).start(db, OPTIONS) : null) {
      long nanosOfARow = mibPerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / mibPerSecond / ROWS_OF_A_MIB;
      long[] times = new long[1 << 22];
      long start = System.nanoTime();
      long end = start + TimeUnit.SECONDS.toNanos(seconds);
      int rows = 0;
      for (long before = start; before < end && rows < times.length; before = System.nanoTime()) {
        put(db, rows);
        times[rows++] = System.nanoTime() - before;
        while (System.nanoTime() < start + rows * nanosOfARow) {
          LockSupport.parkNanos(100_000);
        }
      }
      double taken = (System.nanoTime() - start) / 1e9;
      Arrays.sort(times, 0, rows);
      if (archiver != null) {
        System.out.println("  " + archiver.status());
      }
      return new Speed(rows / taken, times[rows - 1 - rows / 100]);
    }
  }
}
