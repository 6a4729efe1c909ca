/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.folder.Fields.Unreadable;

/**
 * Looks for merges, and other writes, of a column family in a database's logs. The engine, without a merge operator, ends
 * its recovery at the first merge, and deletes the logs with all that is behind it.
 */
public final class LogMerges {
  private static final int BATCH_HEADER = 12;

  // The tags of records in a write batch, the kinds apart that the engine writes to tables alone.
  private static final int DELETE = 0x0;
  private static final int PUT = 0x1;
  private static final int MERGE = 0x2;
  private static final int LOG_DATA = 0x3;
  private static final int FAMILY_DELETE = 0x4;
  private static final int FAMILY_PUT = 0x5;
  private static final int FAMILY_MERGE = 0x6;
  private static final int SINGLE_DELETE = 0x7;
  private static final int FAMILY_SINGLE_DELETE = 0x8;
  private static final int BEGIN_PREPARE = 0x9;
  private static final int END_PREPARE = 0xa;
  private static final int COMMIT = 0xb;
  private static final int ROLLBACK = 0xc;
  private static final int NOTHING = 0xd;
  private static final int FAMILY_DELETE_RANGE = 0xe;
  private static final int DELETE_RANGE = 0xf;
  private static final int FAMILY_BLOB = 0x10;
  private static final int BLOB = 0x11;
  private static final int BEGIN_PERSISTED_PREPARE = 0x12;
  private static final int BEGIN_UNPREPARE = 0x13;
  private static final int COMMIT_AT_TIME = 0x15;
  private static final int ENTITY = 0x16;
  private static final int FAMILY_ENTITY = 0x17;
  private static final int TIMED_PUT = 0x18;
  private static final int FAMILY_TIMED_PUT = 0x19;

  private static final int ANY = -1;

  private final int family;
  private boolean found;
  private boolean foundPrepared;
  private final Set<Integer> merged = new HashSet<>(); // where any family counts
  private final Set<Integer> written = new HashSet<>(); // by the last batch, where any family counts

  // Of the batch that was read last: whether it writes to the family, and whether it does so when it is committed.
  private boolean writes;
  private boolean isPrepared;

  private LogMerges(int family) {
    this.family = family;
  }

  /**
   * Whether the logs of a database, which another process may be writing, have rows of a family that no table has, up to a
   * sequence number. In doubt they have none: where they lie in another folder, are compressed, or cannot be read now.
   */
  public static boolean haveUnflushed(Path folder, int family, long until) throws IOException {
    FolderFiles files = FolderFiles.in(folder);
    Manifest manifest = Manifest.read(folder, files);
    Manifest.Family its = manifest == null ? null : manifest.families().get(family);
    if (its == null) {
      return false;
    }
    FolderFiles.Numbers logs = files.logs();
    try {
      for (int i = 0; i < logs.count(); i++) {
        long number = logs.get(i);
        Path log = folder.resolve(FolderFiles.logName(number));
        if (number >= its.logNumber && haveWrites(log, number, family, until)) {
          return true;
        }
      }
      return false;
    } catch (Unreadable e) {
      return false;
    }
  }

  /** The log that has merges of the family or cannot be read, with what is the matter; null if there is none. */
  static String find(Path walFolder, FolderFiles.Numbers logs, Map.Entry<Integer, Manifest.Family> family)
      throws IOException {
    for (int i = 0; i < logs.count(); i++) {
      long number = logs.get(i);
      if (number >= family.getValue().logNumber) {
        String name = FolderFiles.logName(number);
        LogMerges merges = new LogMerges(family.getKey());
        try {
          LogRecords.read(walFolder.resolve(name), number, merges::take);
        } catch (Unreadable e) {
          return "the log " + name + " cannot be read, so that nobody knows whether it has merges (" + e.getMessage() + ")";
        }
        if (merges.found) {
          return "the log " + name + " has merges";
        }
      }
    }
    return null;
  }

  /**
   * The contents of a log.
   *
   * @param merged the families that it has merges of
   * @param prepared whether it has transactions that were prepared
   * @param batches for each batch, the families that it writes to
   */
  record Contents(Set<Integer> merged, boolean prepared, List<Set<Integer>> batches) {}

  /** Looks into a log, as far as it can be read. */
  static Contents in(Path log, long number) throws IOException {
    LogMerges all = new LogMerges(ANY);
    List<Set<Integer>> batches = new ArrayList<>();
    try {
      LogRecords.read(log, number, (bytes, from, length) -> {
        all.written.clear();
        all.take(bytes, from, length);
        batches.add(Set.copyOf(all.written));
      });
    } catch (Unreadable e) {
      return new Contents(all.merged, all.foundPrepared, batches); // the engine does without the rest, too
    }
    return new Contents(all.merged, all.foundPrepared, batches);
  }

  /** Whether a log has a batch that writes to a family, up to a sequence number, and does so at once. */
  static boolean haveWrites(Path log, long number, int family, long until) throws IOException {
    LogMerges merges = new LogMerges(family);
    boolean[] have = new boolean[1];
    LogRecords.read(log, number, (bytes, from, length) -> {
      long sequence = new Fields(bytes, from, length).fixedLong();
      if (!have[0] && sequence <= until) {
        merges.take(bytes, from, length);
        have[0] = merges.writes && !merges.isPrepared;
      }
    });
    return have[0];
  }

  private void take(byte[] bytes, int from, int length) {
    writes = false;
    isPrepared = false;
    Fields fields = new Fields(bytes, from, length);
    fields.skip(BATCH_HEADER);
    while (!fields.isAtEnd()) {
      take(fields.nextByte(), fields);
    }
  }

  private void take(int tag, Fields fields) {
    switch (tag) {
      case MERGE -> {
        found |= isMergedOf(0);
        writes |= isOf(0);
        skip(2, fields);
      }
      case FAMILY_MERGE -> {
        boolean isOfFamily = isMergedOf(fields.smallNumber());
        found |= isOfFamily;
        writes |= isOfFamily;
        skip(2, fields);
      }
      case PUT, DELETE_RANGE, BLOB, ENTITY, TIMED_PUT -> {
        writes |= isOf(0);
        skip(2, fields);
      }
      case COMMIT_AT_TIME -> skip(2, fields);
      case FAMILY_PUT, FAMILY_DELETE_RANGE, FAMILY_BLOB, FAMILY_ENTITY, FAMILY_TIMED_PUT -> {
        writes |= isOf(fields.smallNumber());
        skip(2, fields);
      }
      case DELETE, SINGLE_DELETE -> {
        writes |= isOf(0);
        skip(1, fields);
      }
      case LOG_DATA, END_PREPARE, COMMIT, ROLLBACK -> skip(1, fields);
      case FAMILY_DELETE, FAMILY_SINGLE_DELETE -> {
        writes |= isOf(fields.smallNumber());
        skip(1, fields);
      }
      case BEGIN_PREPARE, BEGIN_PERSISTED_PREPARE, BEGIN_UNPREPARE -> {
        isPrepared = true;
        foundPrepared = true;
      }
      case NOTHING -> { }
      default -> throw new Unreadable("a batch has the unknown tag " + tag);
    }
  }

  private boolean isMergedOf(int its) {
    if (family == ANY) {
      merged.add(its);
    }
    return isOf(its);
  }

  private boolean isOf(int written) {
    if (family == ANY) {
      this.written.add(written);
    }
    return family == written || family == ANY;
  }

  private static void skip(int strings, Fields fields) {
    for (int i = 0; i < strings; i++) {
      fields.skipString();
    }
  }
}
