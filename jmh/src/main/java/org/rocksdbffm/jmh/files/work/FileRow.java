/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The kinds of work that are measured. */
public enum FileRow {
  /** Writes table files of rows with values of 100 bytes. */
  SST_100("rows/s", (engine, folder, mib) -> new TableWork(engine, folder, mib, 100, false)),
  /** Writes table files of rows with values of 4 KiB. */
  SST_4096("rows/s", (engine, folder, mib) -> new TableWork(engine, folder, mib, 4096, false)),
  /** Like SST_4096, but all engines also sync the folder. */
  SST_4096_SYNCED("rows/s", (engine, folder, mib) -> new TableWork(engine, folder, mib, 4096, true)),
  /** Writes batches of ten rows from another database's WAL. */
  APPLY("batches/s", (engine, folder, mib) -> new ApplyWork(engine, folder, mib, 100)),
  /** Reads a WAL of batches of ten rows of 100 bytes. */
  TAIL_100("MiB/s", (engine, folder, mib) -> new TailWork(engine, folder, mib, 100)),
  /** Reads a WAL of batches of ten rows of 4 KiB. */
  TAIL_4096("MiB/s", (engine, folder, mib) -> new TailWork(engine, folder, mib, 4096)),
  /** Makes a checkpoint on the disk of the database. */
  CHECKPOINT("1/s", CheckpointWork::new),
  /** Makes a backup in an empty folder. */
  FIRST_BACKUP("MiB/s", (engine, folder, mib) -> new BackupWork(engine, folder, mib, true)),
  /** Makes a backup in a folder with another one, after a hundredth of the rows was overwritten. */
  NEXT_BACKUP("1/s", (engine, folder, mib) -> new BackupWork(engine, folder, mib, false));

  private interface Start {
    RepeatedFileWork work(String engine, Path folder, int mib);
  }

  private final String unit;
  private final Start start;

  FileRow(String unit, Start start) {
    this.unit = unit;
    this.start = start;
  }

  /** Returns the row with a name. */
  public static FileRow of(String id) {
    return Stream.of(values()).filter(row -> row.id().equals(id)).findFirst().orElseThrow();
  }

  /** Returns the name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the unit of the results. */
  public String unit() {
    return unit;
  }

  /** Whether the data has the full size, as for checkpoints and backups, and not an eighth of it. */
  public boolean isOfWholeDatabase() {
    return this == CHECKPOINT || this == FIRST_BACKUP || this == NEXT_BACKUP;
  }

  /**
   * Creates the work for an engine.
   *
   * @param folder an empty folder
   * @param mib the size of the data
   */
  public RepeatedFileWork work(String engine, Path folder, int mib) {
    return start.work(engine, folder, mib);
  }
}
