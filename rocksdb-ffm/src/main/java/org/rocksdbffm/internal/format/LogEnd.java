/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

/**
 * Where and how a WAL file or MANIFEST ends: which part of it the engine reads, and which records it skips.
 *
 * @param kind how it ends
 * @param offset the offset after the last record that the engine reads
 * @param size the size of the file in bytes
 * @param batchesBehind the number of intact records after the offset
 * @param operationsBehind the number of writes in those records
 * @param reason the fault at the offset; null if absent
 */
public record LogEnd(Kind kind, long offset, long size, long batchesBehind, long operationsBehind, String reason) {
  /** The reason for a header at which the engine's recovery loops forever. */
  static final String ENDLESS = "a header has the type of a recycled log, on which RocksDB's recovery never returns";

  /** The ways in which a WAL file ends. A crash may leave all but the last, and {@link #TORN} only in the newest file. */
  public enum Kind {
    /** The file ends with a record, or with zeros that were allocated in advance. */
    WHOLE,
    /** The rest of the file has records of an older WAL file that was recycled. */
    RECYCLED,
    /** The last record exceeds the end of the file. */
    CUT,
    /** The bytes after the last record are not a record, and no intact record follows them. */
    TORN,
    /** A page was lost, perhaps before later pages: after a power failure, for writes without sync. */
    UNWRITTEN,
    /** Bytes were changed after they were written: intact records follow them. */
    DAMAGED
  }

  /** Returns the number of bytes that the engine does not read. */
  public long bytesBehind() {
    return size - offset;
  }

  /** Whether the records extend to the end of the file, where the last one may be cut off. */
  public boolean isOfFile() {
    return kind == Kind.WHOLE || kind == Kind.CUT;
  }

  /** Whether a crash may have caused this end of the newest file. */
  public boolean isOfCrash() {
    return kind != Kind.DAMAGED;
  }

  /** Whether the engine's recovery loops forever at this file. */
  public boolean isEndless() {
    return ENDLESS.equals(reason);
  }
}
