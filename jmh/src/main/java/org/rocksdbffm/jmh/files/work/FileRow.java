/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The kinds of work that are measured. */
public enum FileRow {
  /** Writes table files of rows with values of 100 bytes. */
  SST_100("rows/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new TableWork(engine, folder, mib, SMALL, false);
    }
  },
  /** Writes table files of rows with values of 4 KiB. */
  SST_4096("rows/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new TableWork(engine, folder, mib, LARGE, false);
    }
  },
  /** The same, and with all engines the disk has the name of the file, too. */
  SST_4096_SYNCED("rows/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new TableWork(engine, folder, mib, LARGE, true);
    }
  },
  /** Writes batches of ten rows that were read from the log of another database. */
  APPLY("batches/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new ApplyWork(engine, folder, mib, SMALL);
    }
  },
  /** Reads a log of batches of ten rows of 100 bytes. */
  TAIL_100("MiB/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new TailWork(engine, folder, mib, SMALL);
    }
  },
  /** Reads a log of batches of ten rows of 4 KiB. */
  TAIL_4096("MiB/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new TailWork(engine, folder, mib, LARGE);
    }
  },
  /** Makes a checkpoint on the disk of the database. */
  CHECKPOINT("1/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new CheckpointWork(engine, folder, mib);
    }
  },
  /** Makes a backup in an empty folder. */
  FIRST_BACKUP("MiB/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new BackupWork(engine, folder, mib, true);
    }
  },
  /** Makes a backup in a folder that has another one, after a hundredth of the rows was written anew. */
  NEXT_BACKUP("1/s") {
    @Override
    public FileWork work(String engine, Path folder, int mib) {
      return new BackupWork(engine, folder, mib, false);
    }
  };

  private static final int SMALL = 100;
  private static final int LARGE = 4096;

  private final String unit;

  FileRow(String unit) {
    this.unit = unit;
  }

  /** The row with a name. */
  public static FileRow of(String id) {
    return Stream.of(values()).filter(row -> row.id().equals(id)).findFirst().orElseThrow();
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The unit that its figures are in. */
  public String unit() {
    return unit;
  }

  /** Whether its data is as large as the database of checkpoints and backups, and not an eighth of it. */
  public boolean isOfWholeDatabase() {
    return this == CHECKPOINT || this == FIRST_BACKUP || this == NEXT_BACKUP;
  }

  /**
   * The work on an engine.
   *
   * @param folder empty
   * @param mib how much data it is about
   */
  public abstract FileWork work(String engine, Path folder, int mib);
}
