/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.rocksdbffm.internal.callback.RawEvent;
import org.rocksdbffm.metrics.DatabaseEvent;
import org.rocksdbffm.metrics.DatabaseEvent.Stall;
import org.rocksdbffm.metrics.DatabaseEvent.Work;

/** Converts the engine's events to public ones. */
final class Events {
  private Events() {}

  static DatabaseEvent of(RawEvent event) {
    return switch (event) {
      case RawEvent.MemtableSealed its ->
          new DatabaseEvent.MemtableSealed(its.family(), its.entries(), its.deletions());
      case RawEvent.FileIngested its ->
          new DatabaseEvent.FileIngested(its.family(), its.from(), fileName(its.file()), its.sequence());
      case RawEvent.FlushBegun its -> new DatabaseEvent.FlushBegun(its.family());
      case RawEvent.FlushEnded its ->
          new DatabaseEvent.FlushEnded(
              its.family(),
              fileName(its.file()),
              ByteSize.bytes(its.size()),
              Duration.ofNanos(its.nanos()),
              its.slowsWrites(),
              its.stopsWrites());
      case RawEvent.CompactionBegun its -> new DatabaseEvent.CompactionBegun(its.family(), its.from(), its.to(), its.inputs());
      case RawEvent.CompactionEnded its ->
          new DatabaseEvent.CompactionEnded(
              its.family(),
              its.from(),
              its.to(),
              its.inputs(),
              its.outputs(),
              ByteSize.bytes(its.work().bytesRead()),
              ByteSize.bytes(its.work().bytesWritten()),
              Duration.of(its.work().micros(), ChronoUnit.MICROS),
              Optional.ofNullable(its.failure()));
      case RawEvent.Failed its -> new DatabaseEvent.BackgroundError(work(its.reason()), its.failure());
      case RawEvent.StallChanged its -> new DatabaseEvent.StallChanged(its.family(), stall(its.before()), stall(its.now()));
      case RawEvent.Dropped its -> new DatabaseEvent.Dropped(its.count());
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
