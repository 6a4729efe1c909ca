/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.ToLongFunction;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Follower;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.frame.Command;
import org.rocksdbffm.cli.frame.ExitCode;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;
import org.rocksdbffm.reports.FamilyReport;
import org.rocksdbffm.reports.Statistics;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the changes of a database, which another process may be writing. */
@CommandLine.Command(
    name = "stats",
    description = "Prints writes, sizes and files, once or again and again, also while another process writes; keys "
        + "and tables are without the log.")
public final class Stats extends Command {
  @Mixin private Database database;

  @Option(names = {"-e", "--every"}, paramLabel = "SECONDS", description = "print a row so often")
  private double period;

  @Option(names = {"-n", "--limit"}, paramLabel = "ROWS", description = "at most so many rows")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--counters",
      description = "print the counters that the file LOG has, of a database with statistics, not older than "
          + "stats_dump_period_sec")
  private boolean counters;

  /** Statistics at a point in time. */
  private record Moment(long time, long writes, List<FamilyReport> families, long files, long unordered) {
    static Moment of(RocksDb db, long inLog) {
      var live = db.files().live();
      long unordered = live.stream().filter(file -> file.level() == 0).count();
      long writes = Math.max(inLog, db.files().latestSequenceNumber());
      return new Moment(System.nanoTime(), writes, db.metrics().families(), live.size(), unordered);
    }

    long sum(ToLongFunction<FamilyReport> figure) {
      return families.stream().mapToLong(figure).sum();
    }
  }

  @Override
  protected ExitCode run(Output out) throws Exception {
    if (!(period >= 0 && period <= Integer.MAX_VALUE)) {
      throw new IllegalArgumentException("--every: " + period + ", but it must be a number of seconds");
    }
    return counters ? printCounters(out) : printMoments(out);
  }

  private ExitCode printMoments(Output out) throws IOException, InterruptedException {
    try (Follower follower = database.tables(null).openFollower();
        RowPrinter table = out.live("time", "writes", "writes/s", "log", "keys~", "tables", "files", "L0", "debt")) {
      Moment before = null;
      for (long left = period == 0 ? 1 : limit; left > 0; left--) {
        follower.catchUp();
        long inLog = database.newestWrite();
        Moment now = follower.read(db -> Moment.of(db, inLog));
        table.row(
            OffsetDateTime.now(),
            now.writes,
            before == null ? null : (now.writes - before.writes) / ((now.time - before.time) / 1e9),
            database.logSize(),
            now.sum(FamilyReport::estimatedKeys),
            ByteSize.bytes(now.sum(family -> family.tables().bytes())),
            now.files,
            now.unordered,
            ByteSize.bytes(now.sum(family -> family.compactionDebt().bytes())));
        before = now;
        if (left > 1) {
          Thread.sleep((long) (period * 1000));
        }
      }
    }
    return ExitCode.DONE;
  }

  private ExitCode printCounters(Output out) throws IOException {
    database.requireExisting();
    String text = EngineLog.in(database.folder()).counters();
    try (RowPrinter table = out.table("counter", "count", "sum", "median", "p99", "max")) {
      Statistics statistics = Statistics.parse(text);
      statistics.counts().forEach((ticker, count) -> {
        if (count != 0) {
          table.row(ticker.id(), count, null, null, null, null);
        }
      });
      statistics.distributions().forEach((histogram, each) -> {
        if (each.count() != 0) {
          table.row(histogram.id(), each.count(), each.sum(), each.median(), each.p99(), each.max());
        }
      });
    }
    return text.isEmpty() ? ExitCode.NO : ExitCode.DONE;
  }
}
