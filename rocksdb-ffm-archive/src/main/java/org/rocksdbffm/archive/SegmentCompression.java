/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.util.zip.Deflater;

/**
 * Chooses the segments that are compressed. While the archive is behind the database, a segment is compressed only if
 * that takes less time than it saves when the segment is sent: a fast store gets uncompressed segments then, and the
 * database keeps its processors. Used by one thread.
 */
final class SegmentCompression {
  private static final int MOST_UNCOMPRESSED = 31; // until one shows what compression saves now

  private double nanosToCompress; // a byte of a segment
  private double saved; // the part of a segment that compression removes
  private double nanosToSend; // a byte
  private int uncompressed = MOST_UNCOMPRESSED;

  /** Returns the level for the next segment. */
  int level(boolean isBehind) {
    boolean isFaster = nanosToCompress <= saved * nanosToSend;
    return !isBehind || isFaster || uncompressed >= MOST_UNCOMPRESSED ? Deflater.BEST_SPEED : Deflater.NO_COMPRESSION;
  }

  /** Records a segment. */
  void compressed(int level, long size, int compressedSize, long nanos) {
    if (level == Deflater.NO_COMPRESSION) {
      uncompressed++;
    } else if (size > 0) {
      uncompressed = 0;
      nanosToCompress = (double) nanos / size;
      saved = Math.max(0, 1 - (double) compressedSize / size);
    }
  }

  /** Records that the store has taken bytes. */
  void sent(int size, long nanos) {
    nanosToSend = (double) nanos / Math.max(1, size);
  }
}
