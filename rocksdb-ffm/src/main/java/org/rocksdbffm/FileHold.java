/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.List;
import java.util.function.Supplier;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.upkeep.NativePause;

/**
 * The files of a database at one moment, none of which is deleted until this is closed: for a copier of your own. The
 * database is written to meanwhile, and keeps the files that it would do without. Its owner closes it; its database closes
 * it at the latest. Thread-safe.
 *
 * <pre>{@code
 * try (FileHold hold = db.files().hold()) {
 *   for (HeldFile file : hold.files()) {
 *     try (InputStream in = file.open()) {
 *       Files.copy(in, copy.resolve(file.name()));
 *     }
 *   }
 * }
 * }</pre>
 */
public final class FileHold implements AutoCloseable {
  private final NativePause deletions;
  private final List<HeldFile> files;
  private final LeakWatch watch;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // the database is not forgotten while its files are held
  private final Object databaseToken;

  FileHold(NativePause deletions, Object databaseToken, Supplier<List<HeldFile>> listing) {
    this.deletions = deletions;
    this.databaseToken = databaseToken;
    this.watch = LeakWatch.over(this, deletions);
    try {
      this.files = listing.get();
    } catch (Throwable e) {
      close(); // or the watch does, if a full stack has no room for that
      throw e;
    }
  }

  /**
   * All files that a copy of the database needs, which is opened like any other when it has them in one folder. A database
   * whose logs are elsewhere ({@code wal_dir}) has them in the copy's folder: the copy is opened with
   * {@link Options#replaceStored replaceStored("wal_dir")}.
   *
   * @return the files
   */
  public List<HeldFile> files() {
    return files;
  }

  /** Lets the database delete the files that it does without; idempotent. */
  @Override
  public void close() {
    deletions.close();
    watch.end();
  }

  @Override
  public String toString() {
    return deletions.name();
  }
}
