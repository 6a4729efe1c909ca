/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.upkeep.Flushes;

/** Creates a copy of an open database in its current state, by links to its files if both are on one disk. */
public final class Checkpoint {
  private static final String STAGING = ".tmp"; // chosen by the engine

  private Checkpoint() {}

  public static void create(Database database, FolderPath target) {
    database.requireOpen();
    database.requireWritable();
    String tried = "checkpoint " + target + " of " + database.name();
    try (WorkPauses.CopyFlush _ = database.pauses().startCopy();
        StagingFolder staging = StagingFolder.of(target.path(), STAGING, tried)) {
      staging.removeEmptyTarget();
      staging.begin();
      Flushes.beforeCopy(database);
      FolderPath real = FolderPath.of(staging.target());
      database.within(
          (db, arena, error) -> {
            MemorySegment checkpoint = RocksDbC.rocksdb_checkpoint_object_create(db, error);
            if (Memory.pointer(error, 0) != 0) {
              return null;
            }
            Memory.until(arena, RocksDbC::rocksdb_checkpoint_object_destroy, checkpoint);
            try (CopyGate.Closing _ = database.copies().close()) {
              RocksDbC.rocksdb_checkpoint_create(checkpoint, Memory.string(real.bytes(), arena), 0, error);
            }
            return null;
          },
          tried + ": the database is as it was");
      staging.keepName(); // the engine syncs the folder, but not its parent
    }
  }
}
