/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.NativePause;
import org.rocksdbffm.internal.upkeep.TableFiles;

/** The properties of the table files of an open database. */
public final class LiveTables {
  private LiveTables() {}

  /** Reads the properties of the files with keys in a range; null for an open end. */
  public static Map<FileWork.Live, Map<String, byte[]>> of(NativeFamily family, byte[] from, byte[] until) {
    StackRoom.require();
    Database database = family.database();
    if (database.kind().isForReading()) {
      return read(family, from, until); // a read-only database deletes no files
    }
    NativePause retaining = NativePause.begin(database, WorkPauses.Kind.FILE_DELETIONS);
    try {
      return read(family, from, until);
    } finally {
      retaining.close();
    }
  }

  private static Map<FileWork.Live, Map<String, byte[]>> read(NativeFamily family, byte[] from, byte[] until) {
    List<List<FileWork.Live>> levels =
        from == null && until == null ? TableFiles.levels(family) : TableFiles.levels(family, from, until);
    return NativeEncryption.during(family.database().encryption(), () -> {
      Map<FileWork.Live, Map<String, byte[]>> properties = new LinkedHashMap<>();
      levels.forEach(files -> files.forEach(file -> properties.put(file, TableEntries.properties(file.path()))));
      return properties;
    });
  }
}
