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
 * Repairs an ingestion or import whose MANIFEST record may be durable although its sync failed. RocksDB deletes the
 * files then, so that the database could not be opened again: they are copied back from their source.
 */
final class LostCommit {
  private static final String MANIFEST = "MANIFEST";

  private LostCommit() {}

  /**
   * The files of a family.
   *
   * @param tables the folder of the family's new tables
   * @param files in the order in which the engine got them
   */
  record Part(Path tables, List<Path> files) {}

  /** Whether an error message is about such a failure. */
  static boolean isIn(String failure) {
    return failure.contains(MANIFEST);
  }

  /**
   * Copies the files back if the database lacks them; returns the outcome for the error message.
   *
   * @param parts the files of each family, in the order in which the engine got them
   */
  static String repair(Database database, List<Part> parts) {
    try {
      return Uninterrupted.run(
          () -> {
            LastTables lost = LastTables.of(database.folder(), parts.stream().map(Part::tables).toList());
            List<Path> files = parts.stream().flatMap(part -> part.files().stream()).toList();
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
