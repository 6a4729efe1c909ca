/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.NativeOptions;

/** Creates and drops column families of an open database. */
public final class FamilyChanges {
  private FamilyChanges() {}

  /**
   * Creates families with the same options in one engine call, which writes the OPTIONS file once. Families that were
   * created before a failure are in {@code created} even if this throws.
   */
  public static void create(
      Database database, List<String> names, NativeOptions options, List<NativeFamily> created) {
    database.run((db, arena, error) -> {
      database.requireWritable();
      database.claim(options);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment texts = Memory.strings(names, arena);
      try (CopyGate.Pass _ = database.copies().passFamily(options.isOrderedInJava())) {
        MemorySegment list =
            Memory.until(
                arena,
                RocksDbC::rocksdb_create_column_families_destroy,
                RocksDbC.rocksdb_create_column_families(db, options.pointer(), names.size(), texts, count, error));
        long made = count.get(ValueLayout.JAVA_LONG, 0);
        MemorySegment handles = Memory.at(list.address(), made * Long.BYTES);
        for (int i = 0; i < made; i++) {
          created.add(database.adopt(names.get(i), Memory.pointee(handles, (long) i * Long.BYTES), options));
        }
        checkCreated(error, database.name());
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
   * Drops a family. Refuses new writes to it and waits for writes in flight first, because the engine stops all writes
   * after one to a dropped family. Rolls back the transactions that have written or locked its keys.
   */
  public static void drop(NativeFamily family) {
    Database database = family.database();
    database.requireOpen();
    database.requireWritable(); // the engine would write a MANIFEST, although another process has the database open
    if (!family.isDefault()) {
      database.transactions().requireNotPrepared(family);
      family.writing().close(() -> database.transactions().endOn(family, false));
      database.transactions().endOn(family, true);
      database.transactions().requireNotPrepared(family); // a transaction may have been prepared since the first check
    }
    family.run((db, arena, error) ->
      RocksDbC.rocksdb_drop_column_family(db, family.pointer(), error));
  }
}
