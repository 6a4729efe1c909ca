/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.RocksDbException;

/** An event of the engine's, with nothing in it that is the engine's. */
public sealed interface RawEvent {
  /** A flush begins. */
  record FlushBegun(String family) implements RawEvent {}

  /** A flush has made a file. */
  record FlushEnded(String family, String file, long size, long nanos, boolean slowsWrites, boolean stopsWrites)
      implements RawEvent {}

  /** A compaction begins. */
  record CompactionBegun(String family, int from, int to, long inputs) implements RawEvent {}

  /** A compaction has ended; the failure is null if it went well. */
  record CompactionEnded(
      String family, int from, int to, long inputs, long outputs, Work work, RocksDbException failure)
      implements RawEvent {}

  /** The work that a compaction has done. */
  record Work(long bytesRead, long bytesWritten, long micros) {}

  /** A memtable takes no more writes. */
  record MemtableSealed(String family, long entries, long deletions) implements RawEvent {}

  /** A file was taken in. */
  record FileIngested(String family, String from, String file, long sequence) implements RawEvent {}

  /** Work in the background has failed; the reason is the engine's number. */
  record Failed(int reason, RocksDbException failure) implements RawEvent {}

  /** Writes are held up in another way; both are the engine's numbers. */
  record StallChanged(String family, int before, int now) implements RawEvent {}

  /** So many events were dropped. */
  record Dropped(long count) implements RawEvent {}
}
