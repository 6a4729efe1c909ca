/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.RecordKind;
import org.rocksdbffm.internal.format.VersionEdit;

/**
 * Reads the WAL of a database: its merges, prepared transactions, and the column families that it writes. Without a
 * merge operator, RocksDB ends its recovery at the first merge, and deletes the WAL with everything after it.
 */
public final class LogContents {
  /** Receives each batch, with the families that it writes; the set is valid during the call. */
  interface Batches {
    void batch(long log, long sequence, Set<Integer> families);
  }

  private final Batches batches;
  /** The numbers of the WAL files in which merges took effect, by family. */
  final Map<Integer, NavigableSet<Long>> merges = new HashMap<>();
  private final List<LiveLog> logs = new ArrayList<>();
  private final Map<String, Prepared> prepared = new TreeMap<>(); // by name
  private long firstPrepared = VersionEdit.NONE;
  private String unreadable;
  private long firstUnreadable = VersionEdit.NONE;

  // The number of batches in the WAL file that is being read.
  private long batchCount;
  private long operations;
  private long first;
  private long next; // the sequence number after the last write that took effect

  // The families of the batch that is being read.
  private final Set<Integer> written = new HashSet<>();
  private Prepared preparing; // the transaction whose writes are being read; null if none

  /** The writes of a transaction, which take effect at its commit. */
  private static final class Prepared {
    private final List<Integer> merged = new ArrayList<>(); // the families with merges
    private int operations;
  }

  private LogContents(Batches batches) {
    this.batches = batches;
  }

  /**
   * Reads the live WAL files of a database, which may be open, in its stored {@code wal_dir}, from the first file with
   * unflushed rows on. Files that are deleted concurrently are omitted.
   */
  public static LogContents live(Path database) throws IOException {
    FolderFiles files = FolderFiles.in(database);
    Path stored = OptionsFile.logFolder(database, files);
    boolean isElsewhere = stored != null && FolderFiles.file(database, "LOCK").exists() && Files.isDirectory(stored); // or a copy
    OptionsFile options = OptionsFile.readable(database, files, Set.of(OptionsFile.TWO_PHASES));
    boolean hasTwoPhases = options == null || "true".equals(options.database().get(OptionsFile.TWO_PHASES));
    Manifest manifest = Manifest.read(database);
    long from = manifest == null ? 0 : hasTwoPhases ? manifest.minLog() : manifest.firstLog();
    Path logs = isElsewhere ? stored : database;
    return read(logs, FolderFiles.in(logs).logs, from, (log, sequence, families) -> {});
  }

  /** Reads all WAL files from a number on, as far as possible; a file that is deleted concurrently was not needed. */
  static LogContents read(Path folder, NavigableSet<Long> logs, long from, Batches batches) throws IOException {
    LogContents contents = new LogContents(batches);
    for (long log : logs.tailSet(from)) {
      contents.read(folder, log);
    }
    return contents;
  }

  private void read(Path folder, long number) throws IOException {
    Path file = folder.resolve(FolderFiles.logName(number));
    batchCount = 0;
    operations = 0;
    first = LiveLog.NONE;
    next = LiveLog.NONE;
    try {
      LogEnd end;
      try {
        end = LogRecords.read(file, number, (bytes, from, length) -> read(number, bytes, from, length));
      } catch (Unreadable e) {
        end = LogRecords.endOf(file, number);
        if (unreadable == null) {
          unreadable = file.getFileName() + " cannot be read (" + e.getMessage() + ")";
          firstUnreadable = number;
        }
      }
      logs.add(new LiveLog(file, number, batchCount, operations, first, batchCount == 0 ? LiveLog.NONE : next - 1, end));
    } catch (NoSuchFileException deleted) {
      return;
    }
  }

  private void read(long log, byte[] bytes, int from, int length) {
    long sequence = new Fields(bytes, from, length).fixedLong();
    first = batchCount == 0 ? sequence : first;
    next = sequence;
    batchCount++;
    read(log, new BatchRecords(MemorySegment.ofArray(bytes).asSlice(from, length)));
    batches.batch(log, sequence, written);
  }

  private void read(long log, BatchRecords records) {
    written.clear();
    preparing = null;
    while (records.next()) {
      RecordKind kind = records.kind();
      operations += kind.isWrite() ? 1 : 0;
      if (kind.isBegin()) {
        firstPrepared = hasPrepared() ? firstPrepared : log;
        preparing = new Prepared();
      } else if (kind == RecordKind.END_PREPARE && preparing != null) {
        prepared.put(records.name(), preparing);
        preparing = null;
      } else if (kind.isCommit() || kind == RecordKind.ROLLBACK) {
        Prepared ended = prepared.remove(records.name());
        if (kind.isCommit() && ended != null) {
          next += ended.operations;
          ended.merged.forEach(family -> merge(family, log));
        }
      } else if (preparing != null && kind.isWrite()) {
        preparing.operations++;
        if (kind == RecordKind.MERGE) {
          preparing.merged.add(records.family());
        }
      } else if (kind.isWrite()) {
        next++;
        written.add(records.family());
        if (kind == RecordKind.MERGE) {
          merge(records.family(), log);
        }
      }
    }
  }

  /** Returns the WAL files that were read, the oldest first. */
  public List<LiveLog> logs() {
    return logs;
  }

  private void merge(int family, long log) {
    merges.computeIfAbsent(family, none -> new TreeSet<>()).add(log);
  }

  /** Whether there are prepared transactions, including committed and rolled back ones. */
  boolean hasPrepared() {
    return firstPrepared != VersionEdit.NONE;
  }

  /** Returns the number of the first WAL file with a prepared transaction. */
  long firstPrepared() {
    return firstPrepared;
  }

  /** Returns the names of the prepared transactions that are neither committed nor rolled back. */
  public Set<String> prepared() {
    return prepared.keySet();
  }

  /** Returns the first WAL file that cannot be read completely, with the reason; null if absent. */
  public String unreadable() {
    return unreadable;
  }

  long firstUnreadable() {
    return firstUnreadable;
  }
}
