/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.internal.format.LogEnd;

/**
 * A WAL file with writes that may not be in tables, as the next opening of its database reads it.
 *
 * @param number the number in the file's name
 * @param batches the number of batches before the end
 * @param operations the number of writes in these batches
 * @param first the sequence number of the first write; {@link #NONE} if there are no batches
 * @param last the sequence number of the last write that takes effect; less than {@code first} if none does
 * @param end where and how the file ends
 */
public record LiveLog(Path file, long number, long batches, long operations, long first, long last, LogEnd end) {
  /** A missing sequence number. */
  public static final long NONE = -1;

  /**
   * Reads the live WAL files of a database, which may be open: from the first with unflushed rows on, in the folder
   * that is stored as {@code wal_dir}.
   *
   * @return the oldest first; files that are deleted concurrently are omitted
   */
  public static List<LiveLog> of(Path database) throws IOException {
    FolderFiles files = FolderFiles.in(database);
    Path stored = OptionsFile.logFolder(database, files);
    boolean isElsewhere = stored != null && FolderFiles.file(database, "LOCK").exists() && Files.isDirectory(stored); // or a copy
    OptionsFile options = OptionsFile.readable(database, files, Set.of(StoredDatabase.TWO_PHASES));
    boolean hasTwoPhases = options == null || "true".equals(options.database().get(StoredDatabase.TWO_PHASES));
    Manifest manifest = Manifest.read(database);
    long from = manifest == null ? 0 : hasTwoPhases ? manifest.minLog() : manifest.firstLog();
    Path logs = isElsewhere ? stored : database;
    return LogContents.read(logs, FolderFiles.in(logs).logs, from, (log, sequence, families) -> {}).logs();
  }
}
