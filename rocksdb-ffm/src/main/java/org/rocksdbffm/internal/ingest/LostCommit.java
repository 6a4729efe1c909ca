/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.folder.LastTables;

/**
 * An ingestion or import whose record may be in the MANIFEST although the engine failed to sync it. The engine deletes its
 * files then, so that nobody could open the database any more: they are put back from where they came.
 */
final class LostCommit {
  private static final String MANIFEST = "MANIFEST";

  private LostCommit() {}

  /** Whether an engine's message is of such a failure. */
  static boolean isIn(String failure) {
    return failure.contains(MANIFEST);
  }

  /**
   * Puts the files back if the database lacks them, and returns how it stands, for a message.
   *
   * @param tables the folder where the database has its new tables
   * @param files in the order in which the engine was given them
   */
  static String repair(Database database, Path tables, List<Path> files) {
    try {
      return Uninterrupted.run(
          () -> {
            LastTables lost = LastTables.of(database.folder(), tables);
            if (lost.lackAll(files)) {
              for (int i = 0; i < files.size(); i++) {
                putBack(files.get(i), lost.paths().get(i));
              }
            }
            return ": whether it was done is seen when the database is opened again";
          });
    } catch (IOException e) {
      return ": keep the files, for the database may need them when it is opened again; they could not be put back, " + e;
    }
  }

  private static void putBack(Path file, Path table) throws IOException {
    Files.copy(file, table);
    try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
