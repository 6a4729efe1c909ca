/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.foreign.RecoveryCalls;
import org.rocksdbffm.internal.lifetime.RecoveryWatch;
import org.rocksdbffm.internal.lifetime.RoomRecovery;

/** Resumes the writes of a database after its disk was full. A child of its database. */
public final class DiskRecovery extends Child {
  private final RoomRecovery recovery;

  private DiskRecovery(RoomRecovery recovery) {
    this.recovery = recovery;
  }

  private record Subject(Database database, List<Path> folders) implements RoomRecovery.Subject {
    @Override
    public String name() {
      return database.name();
    }

    @Override
    public void resume() {
      DiskRecovery.resume(database);
    }
  }

  /**
   * Starts a recovery, which owns the watch, unless this fails.
   *
   * @param room the free bytes that each folder needs
   * @param tables the folders of tables
   * @param resumed receives for how many nanoseconds writes were stopped
   */
  public static void start(Database database, RecoveryWatch watch, long room, List<Path> tables, LongConsumer resumed) {
    List<Path> folders = new ArrayList<>(tables);
    folders.add(database.folder());
    folders.add(database.logFolder());
    database.register(new DiskRecovery(RoomRecovery.start(new Subject(database, folders), watch, room, resumed)));
  }

  /** Resumes writes now; throws the engine's reason if that is not possible. */
  public static void resume(Database database) {
    database.requireOpen();
    database.requireWritable();
    database.pauses().requireWork();
    database.resume(
        (db, arena, error) -> RecoveryCalls.resume(db.address(), error.address()),
        "resuming the writes of " + database.name());
  }

  @Override
  public void closeByParent() {
    recovery.end();
  }
}
