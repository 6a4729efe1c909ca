/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.LogEnd.Kind;

/**
 * Reads the records of a WAL or MANIFEST file: blocks of 32 KiB, which contain records or pieces of records, each after
 * a checksum, a length and a type. Reads the records that the engine's recovery reads, and reports how the file ends:
 * after the first piece that is not intact it searches for intact records.
 */
public final class LogRecords {
  /** Receives the records; the bytes are only valid during the call. */
  public interface Reader {
    void record(byte[] bytes, int from, int length);

    /** Receives the offset after the record, whereupon the file could be cut. */
    default void ended(long offset) {}
  }

  private static final int ZSTD = 7; // the only compression of WAL files
  private static final int NONE = -1;
  private static final int BATCH_COUNT = 8; // position of the number of writes in a batch

  private final LogBlock block;
  private final Reader reader; // null if only the end of the file is wanted
  private boolean isJoined; // started in the middle: pieces without a start are skipped
  private boolean isCompressed;
  private Zstandard zstandard;

  private boolean hasRecord;
  private boolean isRecycled;
  private byte[] pieces = new byte[0];
  private int piecesSize = NONE; // NONE: no record has started
  private long recordStart;
  private long end; // offset after the last record
  private boolean hasGarbage; // whether nonzero bytes, which the engine treats like zeros, follow the last record

  // Zeros instead of records: the engine skips the rest of their block, and continues with the next block.
  private long zeros = NONE; // offset of an empty page; a hole if a record follows it
  private long hole = NONE;
  private boolean isHoleUnwritten;
  private long batchesInHole;

  // Set at the first piece that is not intact.
  private LogBlock.State stop; // null before it
  private String reason;
  private boolean isBehind; // whether records are only counted, because the engine would not read them
  private boolean isUnwritten;
  private boolean hasOld;
  private long batchesBehind;
  private long operationsBehind;

  private LogRecords(long number, Reader reader) {
    this.block = new LogBlock(number);
    this.reader = reader;
  }

  /**
   * Reads the records that the engine's recovery reads.
   *
   * @throws Unreadable if a record is compressed, and cannot be decompressed here
   */
  public static LogEnd read(Path file, long number, Reader reader) throws IOException {
    return read(file, number, 0, reader);
  }

  /** Returns how a file ends, without reading its records. */
  public static LogEnd endOf(Path file, long number) throws IOException {
    return read(file, number, 0, null);
  }

  /** As {@link #read(Path, long, Reader)}, from the block at about an offset on. */
  public static LogEnd read(Path file, long number, long offset, Reader reader) throws IOException {
    LogRecords records = new LogRecords(number, reader);
    try (InputStream in = DatabaseFile.open(file)) {
      if (offset > LogBlock.SIZE) {
        records.join(in, offset);
      }
      return records.walk(in);
    }
  }

  /** Skips to an offset. Only the first block says whether records are compressed. */
  private void join(InputStream in, long offset) throws IOException {
    if (block.read(in) && block.inspect(0) == LogBlock.State.INTACT && block.type == LogBlock.SET_COMPRESSION) {
      setCompression();
    }
    block.start += in.skip((offset - LogBlock.SIZE) / LogBlock.SIZE * LogBlock.SIZE);
    end = block.start + block.length;
    isJoined = true;
  }

  private LogEnd walk(InputStream in) throws IOException {
    while (block.read(in)) {
      if (stop != null) {
        searchFromStart();
      } else {
        int position = readOn();
        if (stop != null) {
          search(position);
        }
      }
      if (block.isLast()) {
        break;
      }
    }
    if (stop == null && piecesSize != NONE) {
      stop(LogBlock.State.CUT_HEADER, recordStart, "its last record is not complete");
    }
    if (hole != NONE) {
      end = hole;
      reason = LogEnd.ENDLESS.equals(reason) ? reason : "zeros are there instead of a record";
    }
    return new LogEnd(kind(), end, block.start + block.length, batchesBehind, operationsBehind, reason);
  }

  private Kind kind() {
    if (hole != NONE) {
      return isHoleUnwritten && (isUnwritten || batchesBehind == batchesInHole) ? Kind.UNWRITTEN : Kind.DAMAGED;
    } else if (stop == null && !hasGarbage) {
      return Kind.WHOLE;
    } else if (batchesBehind > 0) {
      return isUnwritten ? Kind.UNWRITTEN : Kind.DAMAGED;
    } else if (isRecycled || hasOld) {
      return Kind.RECYCLED;
    }
    boolean isCut = stop == LogBlock.State.CUT_HEADER || stop == LogBlock.State.TOO_LONG && block.isLast();
    return isCut ? Kind.CUT : isUnwritten ? Kind.UNWRITTEN : Kind.TORN;
  }

  private void stop(LogBlock.State state, long offset, String why) {
    stop = state;
    reason = why;
    isBehind = true;
    boolean isUnwrittenBefore = isHoleUnwritten && end <= hole; // including the start of this record
    isUnwritten = isUnwrittenBefore || state == LogBlock.State.ZEROS && block.isUnwrittenAt((int) (offset - block.start));
    end = piecesSize == NONE ? offset : recordStart;
    piecesSize = NONE;
  }

  /** Reads the records of the block. If it stops, returns the position of the first piece that was not read. */
  private int readOn() {
    int at = 0;
    while (true) {
      LogBlock.State state = block.inspect(at);
      if (block.isRecyclable()) {
        if (hasRecord && !isRecycled) {
          stop(state, block.start + at, LogEnd.ENDLESS);
          return at;
        }
        isRecycled = true;
      }
      if (state == LogBlock.State.ZEROS && piecesSize == NONE) {
        passOverZeros(at);
        return at;
      } else if (state == LogBlock.State.END) {
        return at;
      }
      if (state != LogBlock.State.INTACT) {
        stop(state, block.start + at, reasonOf(state));
        return at;
      }
      int next = block.end();
      String wrong = take(block.start + at);
      if (wrong != null) {
        boolean startsNext = block.plainType() == LogBlock.FULL || block.plainType() == LogBlock.FIRST;
        stop(state, block.start + at, wrong);
        return startsNext ? at : next;
      }
      if (piecesSize == NONE) {
        end = block.start + next;
        if (reader != null && block.hasData()) {
          reader.ended(end);
        }
      }
      at = next;
    }
  }

  /** Skips the rest of the block, as the engine does, and notes whether records are lost by that. */
  private void passOverZeros(int at) {
    int next = nextOwn(at);
    boolean isUnwrittenPage = block.isUnwrittenAt(at);
    if (next == block.length) {
      hasGarbage |= !block.isEmptyFrom(at);
      zeros = zeros == NONE && isUnwrittenPage && block.length - at >= LogBlock.PAGE ? block.start + at : zeros;
      return;
    }
    noteHole(block.start + at, isUnwrittenPage);
    isBehind = true;
    countFrom(next);
    isBehind = false;
    piecesSize = NONE;
    batchesInHole = batchesBehind;
  }

  private void noteHole(long offset, boolean isUnwrittenPage) {
    isHoleUnwritten = isUnwrittenPage && (hole == NONE || isHoleUnwritten);
    hole = hole == NONE ? offset : hole;
    zeros = NONE;
  }

  private static String reasonOf(LogBlock.State state) {
    return switch (state) {
      case CUT_HEADER -> "a header is cut off";
      case TOO_LONG -> "a record is cut off, or its length is wrong";
      case OLD -> "a record has the number of another log";
      case ZEROS -> "a record has zeros in its middle";
      default -> "a checksum is wrong";
    };
  }

  /** Takes an intact piece; returns its fault, or null. */
  private String take(long offset) {
    switch (block.plainType()) {
      case LogBlock.FULL, LogBlock.FIRST -> {
        if (piecesSize > 0) {
          return "a record has no end";
        }
        isJoined = false;
        recordStart = offset;
        piecesSize = 0;
        append();
      }
      case LogBlock.MIDDLE, LogBlock.LAST -> {
        if (piecesSize == NONE) {
          return isJoined ? null : "a record has no start";
        }
        append();
      }
      case LogBlock.SET_COMPRESSION -> {
        if (isCompressed || hasRecord) {
          return "it is said twice, or too late, how the log is compressed";
        }
        return setCompression();
      }
      default -> {
        boolean isKnown = block.type >= LogBlock.TIMESTAMP_SIZES && block.type < 12;
        return isKnown || block.type >= LogBlock.IGNORABLE ? null : "a record has the unknown type " + block.type;
      }
    }
    if (block.plainType() == LogBlock.FULL || block.plainType() == LogBlock.LAST) {
      hasRecord = true;
      hasGarbage = false;
      if (zeros != NONE) {
        noteHole(zeros, true);
      }
      deliver();
    }
    return null;
  }

  private String setCompression() {
    isCompressed = block.size == Integer.BYTES && Fields.fixedInt(block.bytes, block.payload) == ZSTD;
    return isCompressed ? null : "it is compressed in an unknown way";
  }

  private void append() {
    if (reader != null || isBehind) {
      if (pieces.length - piecesSize < block.size) {
        pieces = Arrays.copyOf(pieces, Math.max(2 * pieces.length, piecesSize + block.size));
      }
      System.arraycopy(block.bytes, block.payload, pieces, piecesSize, block.size);
    }
    piecesSize += block.size;
  }

  private void deliver() {
    int size = piecesSize;
    piecesSize = NONE;
    if (isBehind) {
      count(size);
    } else if (reader != null && isCompressed && size > 0) {
      byte[] content = content(size);
      reader.record(content, 0, content.length);
    } else if (reader != null) {
      reader.record(pieces, 0, size);
    }
  }

  private byte[] content(int size) {
    if (zstandard == null) {
      zstandard = new Zstandard();
    }
    return zstandard.content(pieces, 0, size);
  }

  private void count(int size) {
    batchesBehind++;
    if (size < BatchRecords.HEADER) {
      return;
    }
    boolean isFrame = isCompressed || !hasRecord && Fields.fixedInt(pieces, 0) == Zstandard.MAGIC;
    try {
      byte[] content = isFrame ? content(size) : pieces;
      operationsBehind += content.length < BatchRecords.HEADER ? 0 : Fields.fixedInt(content, BATCH_COUNT);
    } catch (Unreadable e) {
      return; // the number of its writes is unknown
    }
  }

  /** Searches the block in which reading stopped: a length may be wrong, so a record may start at any position. */
  private void search(int from) {
    boolean isBehindPiece = block.inspect(from) == LogBlock.State.INTACT; // only the order of pieces is wrong
    int next = isBehindPiece ? from : nextOwn(from);
    passOver(from, next);
    countFrom(next);
  }

  /** Returns the position of the next intact piece of this log in the block; the end of the block if there is none. */
  private int nextOwn(int from) {
    int at = from;
    while (at < block.length && !(isOwn(at) && (block.isRecyclable() || block.isIntactFrom(at)))) {
      at++;
    }
    return at;
  }

  /** Searches a later block, as the engine does. */
  private void searchFromStart() {
    block.inspect(0);
    if (batchesBehind == 0 && block.isRecyclable() && hasRecord && !isRecycled && stop != LogBlock.State.OLD) {
      reason = LogEnd.ENDLESS;
    }
    countFrom(0);
  }

  /** Whether a piece of a record of this file may start at a position. */
  private boolean isOwn(int at) {
    if (block.length - at < LogBlock.HEADER) {
      return false;
    }
    int type = block.bytes[at + 6];
    if (type < LogBlock.FULL || type > 2 * LogBlock.RECYCLABLE) {
      return false;
    }
    LogBlock.State state = block.inspect(at);
    hasOld |= state == LogBlock.State.OLD && block.hasChecksum(at);
    return state == LogBlock.State.INTACT && isOfThisKind();
  }

  private boolean isOfThisKind() {
    return !hasRecord || !block.hasData() || block.isRecyclable() == isRecycled;
  }

  private void countFrom(int from) {
    int at = from;
    while (true) {
      LogBlock.State state = block.inspect(at);
      if (state == LogBlock.State.END) {
        return;
      }
      if (state != LogBlock.State.INTACT || !isOfThisKind()) {
        hasOld |= state == LogBlock.State.OLD && block.hasChecksum(at);
        passOver(at, block.length);
        return;
      }
      int next = block.end();
      if (block.hasData()) {
        takeBehind();
      }
      at = next;
    }
  }

  private void takeBehind() {
    int type = block.plainType();
    if (type == LogBlock.FULL || type == LogBlock.FIRST) {
      piecesSize = 0;
    }
    if (piecesSize == NONE) {
      return; // its start is lost
    }
    append();
    if (type == LogBlock.FULL || type == LogBlock.LAST) {
      deliver();
    }
  }

  /** Notes whether bytes between the last record and the first one after it were never written. */
  private void passOver(int from, int until) {
    piecesSize = NONE;
    if (batchesBehind == 0) {
      isUnwritten |= hasOld || block.hasUnwrittenPage(from, until);
    }
  }
}
