/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.RocksDbException;

/** An engine event, copied: it refers to no native memory. */
public sealed interface RawEvent {
  /** A flush has started. */
  record FlushStarted(String family) implements RawEvent {}

  /** A flush has written a file. */
  record FlushEnded(String family, String file, long size, long nanos, boolean slowsWrites, boolean stopsWrites)
      implements RawEvent {}

  /** A compaction has started. */
  record CompactionStarted(String family, int from, int to, long inputs) implements RawEvent {}

  /** A compaction has ended; {@code failure} is null if it succeeded. */
  record CompactionEnded(
      String family, int from, int to, long inputs, long outputs, Work work, RocksDbException failure)
      implements RawEvent {}

  /** The amount of work of a compaction. */
  record Work(long bytesRead, long bytesWritten, long micros) {}

  /** A memtable became read-only. */
  record MemtableSealed(String family, long entries, long deletions) implements RawEvent {}

  /** A file was ingested. */
  record FileIngested(String family, String from, String file, long sequence) implements RawEvent {}

  /** Background work failed; {@code reason} is the engine's number. */
  record Failed(int reason, RocksDbException failure) implements RawEvent {}

  /** Writes were resumed after the disk was full. */
  record Resumed(long nanos) implements RawEvent {}

  /** The write stall condition changed; the numbers are the engine's. */
  record StallChanged(String family, int before, int now) implements RawEvent {}

  /** Events were dropped because the queue was full. */
  record Dropped(long count) implements RawEvent {}
}
