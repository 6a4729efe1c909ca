/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

/**
 * Where and how a log ends: which part of the file the engine reads, and which records it leaves out.
 *
 * @param kind how the log ends
 * @param offset of the first byte after the last record that the engine reads
 * @param size of the file, in bytes
 * @param batchesBehind number of intact records after the offset
 * @param operationsBehind number of writes in those records
 * @param reason what is wrong at the offset; null if nothing is
 */
public record LogEnd(Kind kind, long offset, long size, long batchesBehind, long operationsBehind, String reason) {
  /** The reason at a header on which the engine's recovery never returns. */
  static final String ENDLESS = "a header has the type of a recycled log, on which RocksDB's recovery never returns";

  /** The ways in which a log ends. All but the last are what a crash may leave. */
  public enum Kind {
    /** The file ends with a record, or with zeros that were allocated in advance. */
    WHOLE,
    /** The rest of the file has records of the older log that the file was used for before. */
    RECYCLED,
    /** The last record goes beyond the end of the file. */
    CUT,
    /** The bytes after the last record are not a record, and no intact record follows them. */
    TORN,
    /** The operating system wrote later pages, and lost one before them: after a loss of power, of writes that were not synced. */
    UNWRITTEN,
    /** Bytes were changed after they were written: intact records follow them. */
    DAMAGED
  }

  /** Number of bytes that the engine does not read. */
  public long bytesBehind() {
    return size - offset;
  }

  /** Whether the records go up to the end of the file, where the last one may be cut off. */
  public boolean isOfFile() {
    return kind == Kind.WHOLE || kind == Kind.CUT;
  }

  /** Whether a crash may have left the log like this. */
  public boolean isOfCrash() {
    return kind != Kind.DAMAGED;
  }

  /** Whether the engine's recovery of this log never returns. */
  public boolean isEndless() {
    return ENDLESS.equals(reason);
  }
}
