/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.RecordKind;

/**
 * Reads new batches from the WAL files of a database, and checks that no sequence number is missing. Used by one thread.
 */
class LogTail {
  private static final String SUFFIX = ".log";
  private static final int BATCH_HEADER = 12;

  private final Path folder;
  private final long firstLog;
  private final long covered;
  private final Map<String, Integer> prepared = new HashMap<>(); // writes of prepared transactions, by name

  // Of the next batch.
  private long log;
  private long offset;
  private long next; // the next batch's sequence number, if known
  private long lastAsked = -1;
  private final int prefix; // the prefix's size in encrypted files; offsets are without it, except in segments
  private String gap; // why the writes are not complete; null if they are
  private boolean isAtEnd; // whether the last read has read everything
  private long mayMiss; // writes up to this number may be missing
  private boolean tablesHaveMissing; // whether the tables of the base have the writes that the WAL lacks
  private boolean isMissing; // the base lacks some writes

  /**
   * Creates a reader.
   *
   * @param start the number of the first file to read, with all batches after {@code covered}
   * @param firstLog the number of the first file whose bytes are returned; the tables have the writes of earlier files
   * @param covered the tables have all writes up to this number
   * @param isEncrypted whether the files are encrypted, with the keys of the running operation
   */
  LogTail(Path folder, long start, long firstLog, long covered, boolean isEncrypted) {
    this.prefix = isEncrypted ? DatabaseFile.PREFIX : 0;
    this.folder = folder;
    this.firstLog = firstLog;
    this.log = start;
    this.covered = covered;
    this.next = covered + 1;
  }

  /** Returns the number of the WAL file that is written, or of one before it. */
  static long current(Path folder) throws IOException {
    NavigableSet<Long> numbers = numbers(folder);
    Long newest = numbers.pollLast();
    return newest == null ? 0 : numbers.isEmpty() ? newest : numbers.last(); // the newest may not be in use yet
  }

  boolean isEncrypted() {
    return prefix > 0;
  }

  /** Whether the last read has read all batches, and not only some of its size. */
  boolean isAtEnd() {
    return isAtEnd;
  }

  /**
   * Lets writes be missing up to a number, if no batch follows them up to it: the base has the first of them, and the next
   * one the others.
   */
  void mayMiss(long until) {
    mayMiss = until;
  }

  /** Lets the WAL lack writes up to a number, because the tables of the base have them. */
  void mayMissInTables(long until) {
    mayMiss = until;
    tablesHaveMissing = true;
  }

  /**
   * Passes over the writes up to a number, as far as they may be missing. If the base lacks them, no write of the WAL may
   * follow.
   */
  void passOver(long until) {
    long end = Math.min(until, mayMiss);
    if (next <= end) {
      next = end + 1;
      isMissing = !tablesHaveMissing;
    }
  }

  /** Whether all writes that may be missing were passed, and some were missing. */
  boolean hasPassedMissing() {
    return isMissing && next > mayMiss;
  }

  /** Returns the reason why writes are missing before the current position; null if no writes are missing. */
  String gap() {
    return gap;
  }

  /** Returns the sequence number up to which all writes were read, or are in tables. */
  long sequence() {
    return next - 1;
  }

  /** Whether the current WAL file is another one than at the previous call. */
  boolean hasMoved() {
    boolean isOther = log != lastAsked;
    lastAsked = log;
    return isOther;
  }

  /** Returns the number of bytes that were not read yet. */
  long unread() throws IOException {
    long bytes = -offset;
    for (long number : numbers()) {
      bytes += Math.max(0, file(number).toFile().length() - prefix);
    }
    return Math.max(0, bytes);
  }

  private Path file(long number) {
    return folder.resolve(String.format("%06d", number) + SUFFIX);
  }

  /** Returns the numbers of the WAL files from the current one on. Overridden by a test. */
  NavigableSet<Long> numbers() throws IOException {
    return numbers(folder).tailSet(log, true);
  }

  private static NavigableSet<Long> numbers(Path folder) throws IOException {
    NavigableSet<Long> numbers = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String digits = name.substring(0, name.length() - SUFFIX.length());
        if (digits.matches("\\d{1,18}")) {
          numbers.add(Long.parseLong(digits));
        }
      }
    }
    return numbers;
  }

  /**
   * Reads batches until about a number of bytes, or the end. Stops at a missing sequence number, and sets {@link #gap}.
   *
   * @return the pieces that were read; the last batch may exceed the limit
   */
  Segment read(long most) throws IOException {
    List<Segment.Piece> pieces = new ArrayList<>();
    long left = most;
    boolean isRetried = false;
    isAtEnd = false;
    while (left > 0 && gap == null) {
      Pass pass = new Pass(log, offset, left, true);
      pass.run();
      if (pass.end > offset) {
        add(pieces, pass);
        left -= pass.end - offset;
        offset = pass.end;
        isRetried = false;
      }
      if (gap != null || pass.isFull) {
        break;
      }
      Long newer = newerWithBatches();
      if (newer == null) {
        isAtEnd = true;
        break;
      }
      if (!isRetried && (pass.end < pass.readTo || !isNext(newer))) {
        isRetried = true; // the file may have grown until the newer one got its first batch
        continue;
      }
      takeUnread(pieces, newer);
      log = newer;
      offset = 0;
      isRetried = false;
    }
    return new Segment(pieces);
  }

  private void add(List<Segment.Piece> pieces, Pass pass) throws IOException {
    if (pass.number >= firstLog) {
      pieces.add(pass.piece());
    }
  }

  /** Whether the first batch of a newer WAL file continues the numbers of the current file. */
  private boolean isNext(long newer) throws IOException {
    Pass peek = new Pass(newer, 0, 1, false);
    peek.run();
    return peek.first >= 0 && peek.first <= next;
  }

  /** Takes headers of WAL files without batches, between the current file and a newer one. */
  private void takeUnread(List<Segment.Piece> pieces, long newer) throws IOException {
    for (long between : numbers().subSet(log, false, newer, false)) {
      Pass pass = new Pass(between, 0, Long.MAX_VALUE, false);
      pass.run();
      if (pass.end > 0) {
        add(pieces, pass);
      }
    }
  }

  /** Returns the first WAL file after the current one that has a batch; null if there is none. */
  private Long newerWithBatches() throws IOException {
    boolean isAny = firstWithBatches() != null;
    return isAny ? firstWithBatches() : null; // again, because an earlier file may have got its first batch since it was read
  }

  private Long firstWithBatches() throws IOException {
    for (long number : numbers().tailSet(log, false)) {
      Pass peek = new Pass(number, 0, 1, false);
      peek.run();
      if (peek.first >= 0) {
        return number;
      }
    }
    return null;
  }

  /** Thrown to end a pass at the limit. */
  private static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    Full() {
      super(null, null, false, false);
    }
  }

  /** One reading of a WAL file from an offset on. */
  private final class Pass implements LogRecords.Reader {
    private final long number;
    private final long from;
    private final long most;
    private final boolean counts; // if false, only the first number or the end of the file is needed
    private final List<Segment.Mark> marks = new ArrayList<>();
    private byte[] record;
    private long first = -1;
    private long end;
    private long readTo;
    private boolean isFull;

    Pass(long number, long from, long most, boolean counts) {
      this.number = number;
      this.from = from;
      this.most = most;
      this.counts = counts;
      this.end = from;
    }

    void run() throws IOException {
      try {
        LogEnd found = LogRecords.read(file(number), number, from, this);
        readTo = found.size();
        if (gap == null) {
          end = Math.max(end, found.offset());
        }
        if (found.kind() == LogEnd.Kind.DAMAGED && counts) {
          gap = file(number) + " is damaged at " + found.offset() + ": " + found.reason();
        }
      } catch (Full e) {
        isFull = true;
      } catch (NoSuchFileException e) {
        gap = counts ? file(number).getFileName() + " was deleted before it was read" : gap;
      } catch (Fields.Unreadable e) {
        gap = counts ? file(number).getFileName() + " cannot be read: " + e.getMessage() : gap;
      }
    }

    @Override
    public void record(byte[] bytes, int start, int length) {
      record = Arrays.copyOfRange(bytes, start, start + length);
    }

    @Override
    public void ended(long offsetAfter) {
      if (offsetAfter <= from) {
        return; // read before
      }
      long sequence = new Fields(record, 0, record.length).fixedLong();
      first = first < 0 ? sequence : first;
      if (!counts) {
        throw new Full();
      }
      boolean isMark = record.length == BATCH_HEADER; // a batch without writes, such as the mark of a flush
      if (isMark || tablesHaveMissing) {
        passOver(sequence - 1);
      }
      if (sequence > next || isMissing && !isMark) {
        gap = "the WAL lacks writes before number " + sequence + " in " + file(number).getFileName();
        throw new Full();
      }
      long after = sequence + count();
      if (sequence < next && after > covered + 1) {
        gap = "the WAL has the write number " + sequence + " again in " + file(number).getFileName();
        throw new Full();
      }
      next = Math.max(next, after);
      end = offsetAfter;
      marks.add(new Segment.Mark(prefix + end, next - 1));
      if (end - from >= most) {
        throw new Full();
      }
    }

    /**
     * Returns the number of sequence numbers that the batch uses; a prepared transaction uses its numbers at the
     * commit.
     */
    private long count() {
      BatchRecords records = new BatchRecords(MemorySegment.ofArray(record));
      long numbers = 0;
      int pending = -1; // writes of the transaction that is being prepared
      while (records.next()) {
        RecordKind kind = records.kind();
        if (kind.isBegin()) {
          pending = 0;
        } else if (kind == RecordKind.END_PREPARE) {
          prepared.put(records.name(), Math.max(0, pending));
          pending = -1;
        } else if (kind.isCommit() || kind == RecordKind.ROLLBACK) {
          Integer ended = prepared.remove(records.name());
          numbers += kind.isCommit() && ended != null ? ended : 0;
        } else if (kind.isWrite()) {
          if (pending >= 0) {
            pending++;
          } else {
            numbers++;
          }
        }
      }
      return numbers;
    }

    /** Returns the bytes as they are on the disk, with the prefix before the first one. */
    Segment.Piece piece() throws IOException {
      long start = from == 0 ? 0 : prefix + from;
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(prefix + end - start));
      try (FileChannel channel = FileChannel.open(file(number))) {
        while (bytes.hasRemaining()) {
          if (channel.read(bytes, start + bytes.position()) < 0) {
            throw new EOFException(file(number) + " is cut off");
          }
        }
      }
      return new Segment.Piece(number, start, bytes.array(), marks);
    }
  }
}
