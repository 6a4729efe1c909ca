/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;

/**
 * Checks WAL files for damage before their end. By default, the engine's recovery stops at the damage, silently drops
 * the intact records after it, and reuses their sequence numbers for later writes.
 */
final class LogDamage {
  private final Path folder;
  private final NavigableSet<Long> numbers; // the numbers of the WAL files that the engine will read

  private LiveLog damaged; // the file in which the engine stops reading; null if none
  private long operations; // the intact operations that would be dropped
  private long logs; // the number of later files that would be dropped
  private long next = LiveLog.NONE; // the sequence number that the engine expects next

  private LogDamage(Path folder, NavigableSet<Long> numbers) {
    this.folder = folder;
    this.numbers = numbers;
  }

  /**
   * Refuses WAL files of which the engine would drop acknowledged writes, or which it would read endlessly. A crash
   * causes neither.
   *
   * @param known the contents of the files, if read before; otherwise null
   * @param isAccepted whether the database is opened without the writes after the damage
   */
  static void requireNone(Path folder, NavigableSet<Long> numbers, List<LiveLog> known, boolean isAccepted) throws IOException {
    LogDamage damage = new LogDamage(folder, numbers);
    if (damage.isAny(known) && !isAccepted) {
      damage.requireNothingLost();
    }
  }

  private boolean isAny(List<LiveLog> known) throws IOException {
    boolean isAny = false;
    for (LiveLog log : known == null ? ends() : known) {
      requireEndOf(log);
      isAny |= mayBeDamaged(log) && numbers.contains(log.number());
    }
    return isAny;
  }

  /**
   * Whether a file is damaged, or would be if a later file has writes: the engine completes a file before it writes the
   * next.
   */
  private static boolean mayBeDamaged(LiveLog log) {
    return !log.end().isOfCrash() || log.end().kind() == LogEnd.Kind.TORN;
  }

  private List<LiveLog> ends() throws IOException {
    List<LiveLog> ends = new ArrayList<>();
    for (long number : numbers) {
      Path file = folder.resolve(FolderFiles.logName(number));
      try {
        if (file.toFile().length() > 0) {
          LogEnd end = LogRecords.endOf(file, number);
          ends.add(new LiveLog(file, number, 0, 0, LiveLog.NONE, LiveLog.NONE, end));
        }
      } catch (NoSuchFileException deleted) {
        continue;
      }
    }
    return ends;
  }

  /** Refuses a WAL file that the engine would read endlessly. */
  static void requireEndOf(LiveLog log) throws Refused {
    LogEnd end = log.end();
    if (end.isEndless()) {
      throw Refused.damage(
          log.file() + " is damaged at byte " + end.offset() + ": " + end.reason(),
          "put the file back as it was; or cut it there (truncate -s " + end.offset() + "), to do without the "
              + count(end.operationsBehind()) + " writes after that");
    }
  }

  /** Reads the files again, because another process may have written since; throws if writes would be lost. */
  private void requireNothingLost() throws IOException {
    for (LiveLog log : LogContents.read(folder, numbers, numbers.first(), (number, sequence, families) -> {}).logs()) {
      add(log);
    }
    if (damaged != null && (operations > 0 || !damaged.end().isOfCrash())) {
      LogEnd end = damaged.end();
      throw Refused.damage(
          damaged.file() + " is damaged at byte " + end.offset() + " of " + end.size() + " (" + end.reason() + "), and "
              + count(operations) + " acknowledged writes after that are intact"
              + (logs == 0 ? "" : ", some in " + count(logs) + " later logs") + ", which RocksDB would drop without a word",
          "put the file back as it was; or take over the intact writes (Repair); or do without them "
              + "(DatabaseOptions.acceptWalDamage)");
    }
  }

  private void add(LiveLog log) {
    if (damaged != null && log.batches() > 0 && log.first() == next) {
      damaged = null; // an earlier opening dropped the rest of that file, and wrote this one
    }
    if (damaged != null) {
      operations += log.operations() + log.end().operationsBehind();
      logs += log.batches() > 0 ? 1 : 0;
      return;
    }
    next = log.batches() > 0 ? log.last() + 1 : next;
    if (mayBeDamaged(log)) {
      damaged = log;
      operations = log.end().operationsBehind();
      logs = 0;
    }
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
