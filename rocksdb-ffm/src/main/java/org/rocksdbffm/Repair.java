/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.rocksdbffm.internal.files.Repairing;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.NativeOptions;

/**
 * The result of RocksDB's repair, the last resort for a database that cannot be opened: it creates a new MANIFEST from
 * the existing tables and WAL files. Restoring a backup is better, because a repair
 *
 * <ul>
 *   <li>loses unreadable data: all rows of a damaged table, and damaged records of the WAL;
 *   <li>moves {@linkplain FamilyFiles#ingest ingested} tables aside that were not compacted since, unless they were
 *       ingested into an empty range: they can be ingested again;
 *   <li>drops column families without tables, with their rows in the WAL and later rows of the same batches; and if it
 *       drops one, the stored options of all families;
 *   <li>may restore deleted or overwritten rows and dropped families, and may apply merge operands twice, if the tables
 *       that contained them were compacted and not deleted yet;
 *   <li>moves all tables to level 0, where older values would hide newer ones: so a column family with tables on
 *       several levels is compacted, which takes time, and needs its size in free space.
 * </ul>
 *
 * <p>So copy the folder first, and check the data before using it. Files that were not used are not deleted, but moved
 * to a folder named {@code lost}.
 *
 * @param setAside the files in the folder {@code lost}: the old MANIFEST, the WAL files, whose rows are in tables now,
 *     and unreadable files
 * @param skippedBatches the number of batches of the WAL that were recovered partially or not at all, because they
 *     write to a column family without tables
 */
public record Repair(List<Path> setAside, long skippedBatches) {
  /** Created by the library. */
  public Repair {
    setAside = List.copyOf(requireNonNull(setAside, "setAside"));
  }

  /**
   * Repairs a database that uses the engine's default comparator and merge operator.
   *
   * @param folder the database folder; no process may have it open, not even read-only
   * @return the data that was not recovered
   * @throws RocksDbException if the repair is refused, or the engine fails
   */
  public static Repair of(Path folder) {
    return of(folder, DatabaseOptions.defaults(), FamilyOptions.defaults());
  }

  /**
   * Repairs a database. Before any change, this refuses a database that is open, or has tables in
   * {@linkplain FamilyOptions#paths several folders}; options that do not match the files; and files that the engine's
   * repair would destroy: blob files, WAL files with {@linkplain Transaction#prepare prepared} transactions, and WAL
   * files with merges that may also be in tables. Families with different comparators are refused too. A Java
   * comparator is identified only by its name: one that orders differently than before produces tables that no database
   * opens.
   *
   * @param folder the database folder; no process may have it open, not even read-only
   * @param database the database options
   * @param families the options of every column family: the comparator and merge operator that it was written with
   * @return the data that was not recovered
   * @throws RocksDbException if the repair is refused, or the engine fails
   */
  public static Repair of(Path folder, DatabaseOptions database, FamilyOptions families) {
    FolderPath path = FolderPath.of(folder);
    requireNonNull(database, "database");
    FamilySettings settings = requireNonNull(families, "families").ofFamily(RocksDb.DEFAULT_COLUMN_FAMILY);
    Function<Path, NativeOptions> options =
        logs -> families.toNative(DatabaseKind.PLAIN, logs == null ? database : database.set("wal_dir", logs.toString()));
    Repairing.Outcome outcome =
        database.withKeys(
            () -> Repairing.run(path, settings.inDatabase(database.settings(), database.replaced()), options));
    return new Repair(outcome.setAside(), outcome.skippedBatches());
  }
}
