/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.Maintenance;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.LogContents;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.order.OrderState;

/**
 * Has a secondary database see what its primary has written, and finds out when it would show older rows beside newer ones.
 * The engine keeps the memtable of a family until it reads a later log that writes to that family. Where the primary has
 * flushed before the secondary had read all of the log, the engine reads the table, and passes by the rest of the log; so
 * the memtable hides newer rows of the table. Thread-safe.
 */
public final class CatchUp {
  private static final String IN_MEMTABLE = "rocksdb.num-entries-active-mem-table";

  private final Database database;

  // The families whose memtables may hide newer rows, with the number of entries by which they are known; guarded by this.
  private final Map<String, Long> hiding = new HashMap<>();

  public CatchUp(Database database) {
    this.database = database;
  }

  /** The families as they were seen at a moment. */
  private record Seen(long sequence, Map<String, Long> entries, Map<String, Set<String>> files) {}

  /** Catches up, with all open families given. */
  public synchronized void run(List<NativeFamily> families) {
    database.requireOpen();
    if (database.kind() != DatabaseKind.SECONDARY) {
      throw Status.parse(
          "Not implemented: it is no secondary database", database.name() + ": RocksDb.openSecondary opens one");
    }
    Seen before = look(families);
    StackRoom.require(); // a lock that a stack ends in stays taken
    database.catchingUp().lock();
    try {
      runInEngine();
    } finally {
      database.catchingUp().unlock();
    }
    Seen after = look(families);
    hiding.entrySet().removeIf(family -> !family.getValue().equals(after.entries.get(family.getKey())));
    for (NativeFamily family : families) {
      long entries = after.entries.get(family.name());
      if (mayHide(family.name(), entries, before, after)) {
        hiding.put(family.name(), entries);
      }
    }
    families.stream().filter(family -> hiding.containsKey(family.name()) && isRenewed(family, after.sequence))
        .forEach(family -> hiding.remove(family.name()));
    if (!hiding.isEmpty()) {
      throw Status.parse(
          "Operation failed. Try again.: rows were flushed before their log was read, and nothing was written since to "
              + hiding.keySet(),
          database.name() + ": it may show older rows beside newer ones; close it and open it again, or try again when more is written");
    }
  }

  private static boolean mayHide(String family, long entries, Seen before, Seen after) {
    return entries > 0
        && before.entries.getOrDefault(family, 0L) == entries
        && after.sequence > before.sequence
        && !before.files.getOrDefault(family, Set.of()).containsAll(after.files.getOrDefault(family, Set.of()));
  }

  /** Whether the engine has begun another memtable for a family, which it does at the first write behind the flush. */
  private boolean isRenewed(NativeFamily family, long sequence) {
    try {
      return Uninterrupted.run(() -> LogContents.haveUnflushed(database.folder(), family.id(), sequence));
    } catch (IOException e) {
      return false; // files come and go; it is asked again the next time
    }
  }

  private Seen look(List<NativeFamily> families) {
    Map<String, Long> entries = new HashMap<>();
    for (NativeFamily family : families) {
      entries.put(family.name(), Maintenance.longProperty(family, IN_MEMTABLE).orElse(0));
    }
    Map<String, Set<String>> files =
        FileWork.live(database).stream()
            .collect(
                Collectors.groupingBy(
                    FileWork.Live::family,
                    Collectors.mapping(file -> file.path().toString(), Collectors.toCollection(HashSet::new))));
    return new Seen(Maintenance.latestSequenceNumber(database), entries, files);
  }

  /** Records of the log that it could not use, the engine passes by the next time; so such a failure is the last. */
  private void runInEngine() {
    try {
      Maintenance.within(
          database,
          (db, arena, error) -> {
            OrderState.amongFiles(() -> RocksDbC.rocksdb_try_catch_up_with_primary(db, error));
            return null;
          },
          "catching up of " + database.name());
    } catch (RocksDbException e) {
      if (e.code() != RocksDbException.Code.IO_ERROR && e.code() != RocksDbException.Code.TRY_AGAIN) {
        database.handle().stop("cannot follow the other any more: close it and open it again", e);
      }
      throw e;
    }
  }
}
