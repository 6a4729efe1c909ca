/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.rocksdbffm.internal.callback.RawEvent;
import org.rocksdbffm.reports.DatabaseEvent;
import org.rocksdbffm.reports.DatabaseEvent.Stall;
import org.rocksdbffm.reports.DatabaseEvent.Work;

/** Converts the engine's events to public ones. */
final class Events {
  private Events() {}

  static DatabaseEvent of(RawEvent event) {
    return switch (event) {
      case RawEvent.MemtableSealed raw ->
          new DatabaseEvent.MemtableSealed(raw.family(), raw.entries(), raw.deletions());
      case RawEvent.FileIngested raw ->
          new DatabaseEvent.FileIngested(raw.family(), raw.from(), fileName(raw.file()), raw.sequence());
      case RawEvent.FlushStarted raw -> new DatabaseEvent.FlushStarted(raw.family());
      case RawEvent.FlushEnded raw ->
          new DatabaseEvent.FlushEnded(
              raw.family(),
              fileName(raw.file()),
              ByteSize.bytes(raw.size()),
              Duration.ofNanos(raw.nanos()),
              raw.slowsWrites(),
              raw.stopsWrites());
      case RawEvent.CompactionStarted raw ->
          new DatabaseEvent.CompactionStarted(raw.family(), raw.from(), raw.to(), raw.inputs());
      case RawEvent.CompactionEnded raw ->
          new DatabaseEvent.CompactionEnded(
              raw.family(),
              raw.from(),
              raw.to(),
              raw.inputs(),
              raw.outputs(),
              ByteSize.bytes(raw.work().bytesRead()),
              ByteSize.bytes(raw.work().bytesWritten()),
              Duration.of(raw.work().micros(), ChronoUnit.MICROS),
              Optional.ofNullable(raw.failure()));
      case RawEvent.Failed raw ->
          new DatabaseEvent.BackgroundError(work(raw.reason()), raw.failure());
      case RawEvent.Resumed raw -> new DatabaseEvent.WritesResumed(Duration.ofNanos(raw.nanos()));
      case RawEvent.StallChanged raw ->
          new DatabaseEvent.StallChanged(raw.family(), stall(raw.before()), stall(raw.now()));
      case RawEvent.Dropped raw -> new DatabaseEvent.Dropped(raw.count());
    };
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Work work(int reason) {
    return switch (reason) {
      case 0, 5 -> Work.FLUSH;
      case 1 -> Work.COMPACTION;
      case 2 -> Work.WRITE;
      case 3 -> Work.MEMTABLE;
      case 4, 6 -> Work.MANIFEST;
      case 7 -> Work.FILE_OPENING;
      default -> Work.UNKNOWN;
    };
  }

  private static Stall stall(int condition) {
    return condition >= 0 && condition < Stall.values().length ? Stall.values()[condition] : Stall.NONE;
  }
}
