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
 * The last resort for a database that cannot be opened: the outcome of the engine's repair, which makes a new MANIFEST of the
 * tables and logs that are there. A backup that can be restored is better, for a repair
 *
 * <ul>
 *   <li>loses what cannot be read: a damaged table with all its rows, and of a log the damaged records;
 *   <li>sets tables aside that were {@linkplain FamilyFiles#ingest ingested} and not compacted since, unless they were ingested
 *       where no rows were: they can be ingested again, above what is there;
 *   <li>forgets column families that have no table, with their rows in the log and what is behind those in the same batch;
 *       and the stored options of all families, if it forgets one;
 *   <li>may bring back rows that were deleted or overwritten, and families that were dropped, and may merge operands twice,
 *       where the tables that had them were compacted and not deleted yet;
 *   <li>puts all tables on level 0, where older values would hide newer ones: so a column family whose tables were on several
 *       levels is compacted here, which takes time, and as much room again.
 * </ul>
 *
 * <p>So copy the folder before, and look at what is there before it is used. Files that were not taken over are not deleted,
 * but set aside in a folder named {@code lost}.
 *
 * @param setAside the files in the folder {@code lost}: the old MANIFEST, the logs, whose rows are in tables now, and
 *     what could not be read
 * @param skippedBatches how many batches of the logs were taken over in part or not at all, because they write to a
 *     column family without a table
 */
public record Repair(List<Path> setAside, long skippedBatches) {
  /** Made by the library alone. */
  public Repair {
    setAside = List.copyOf(requireNonNull(setAside, "setAside"));
  }

  /**
   * Repairs a database that has the engine's default options, as far as they say how rows are compared and merged.
   *
   * @param folder where it lives; it is open nowhere, in no mode
   * @return what was not taken over
   */
  public static Repair of(Path folder) {
    return of(folder, DatabaseOptions.defaults(), FamilyOptions.defaults());
  }

  /**
   * Repairs a database. Refused, before anything is changed, are a database that is open, one with tables in
   * {@linkplain FamilyOptions#paths several folders}, options that do not fit the files, and files that the engine's repair
   * would spoil: blob files, logs with transactions that were
   * {@linkplain Transaction#prepare prepared}, and logs with merges that tables have too, or may have. Families that compare
   * keys in several ways are refused as well. A comparator in Java is known by its name alone: one that orders otherwise than
   * it did makes tables that no database opens.
   *
   * @param folder where it lives; it is open nowhere, in no mode
   * @param database options of the database as a whole
   * @param families of each of its column families: with the order and the merge operator that it was written with
   * @return what was not taken over
   */
  public static Repair of(Path folder, DatabaseOptions database, FamilyOptions families) {
    FolderPath path = FolderPath.of(folder);
    requireNonNull(database, "database");
    FamilySettings settings = requireNonNull(families, "families").ofFamily(RocksDb.DEFAULT_COLUMN_FAMILY);
    Function<Path, NativeOptions> options =
        logs -> families.toNative(DatabaseKind.PLAIN, logs == null ? database : database.set("wal_dir", logs.toString()));
    Repairing.Outcome outcome =
        Repairing.run(path, settings.inDatabase(database.settings(), database.replaced()), options);
    return new Repair(outcome.setAside(), outcome.skippedBatches());
  }
}
