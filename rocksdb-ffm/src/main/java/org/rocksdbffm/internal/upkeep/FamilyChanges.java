/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.NativeOptions;

/** Creates and drops column families of an open database. */
public final class FamilyChanges {
  private FamilyChanges() {}

  /**
   * Creates families with the same options, for which the engine writes down the options of the database once and not
   * once for each. Families that were made before a failure are added to the list all the same.
   */
  public static void create(
      Database database, List<String> names, NativeOptions options, List<NativeFamily> created) {
    database.run((db, arena, error) -> {
      database.requireWritable();
      database.claim(options);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      long gate = database.copies().enterFamily(options.isOrderedInJava());
      MemorySegment list =
          RocksDbC.rocksdb_create_column_families(
              db, options.pointer(), names.size(), Memory.strings(names, arena), count, error);
      try {
        long made = count.get(ValueLayout.JAVA_LONG, 0);
        MemorySegment handles = Memory.at(list.address(), made * Long.BYTES);
        for (int i = 0; i < made; i++) {
          created.add(database.adopt(names.get(i), Memory.pointee(handles, (long) i * Long.BYTES), options));
        }
        checkCreated(error, database.name());
      } finally {
        database.copies().leave(gate);
        RocksDbC.rocksdb_create_column_families_destroy(list);
      }
    });
  }

  private static void checkCreated(MemorySegment error, String database) {
    if (Memory.pointer(error, 0) != 0) {
      String failure = Status.takeText(error);
      boolean isThere = failure.contains("Unable to persist options");
      Status.fail(failure, database + (isThere ? ": the column family is there all the same" : ""));
    }
  }

  /**
   * Drops a family; nothing is written to it from then on, and what is being written is waited for: the engine
   * stops all writes for one that comes too late. Rolls back the transactions that have written or locked some of it.
   */
  public static void drop(NativeFamily family) {
    Database database = family.database();
    database.requireOpen();
    database.requireWritable(); // the engine would write a MANIFEST for a database that others have open
    if (!family.isDefault()) {
      database.transactions().requireNotPrepared(family);
      family.writing().close(() -> database.transactions().endOn(family, false));
      database.transactions().endOn(family, true);
      database.transactions().requireNotPrepared(family); // one may have been meanwhile
    }
    family.run((db, arena, error) ->
      RocksDbC.rocksdb_drop_column_family(db, family.pointer(), error));
  }
}
