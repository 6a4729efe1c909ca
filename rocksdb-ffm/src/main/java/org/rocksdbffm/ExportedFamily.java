/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.nio.file.Path;
import org.rocksdbffm.internal.ingest.NativeExport;
import org.rocksdbffm.internal.leak.LeakWatch;

/**
 * The table files of a column family that was {@linkplain FamilyFiles#export exported}, to be
 * {@linkplain RocksDb#importFamily imported} by databases of the same process: the engine's description of the files
 * is in memory alone. Its owner closes it. Thread-safe.
 */
public final class ExportedFamily implements AutoCloseable {
  /** How an import takes the exported files. */
  public enum Transfer {
    /** The database gets copies, and the export can be imported again. */
    COPY,
    /** The database gets the files themselves, where it is on the same disk; another import of the export fails. */
    MOVE
  }

  private final NativeExport export;
  private final LeakWatch watch;

  ExportedFamily(NativeExport export) {
    this.export = export;
    this.watch = LeakWatch.over(this, export);
  }

  NativeExport export() {
    return export;
  }

  /**
   * Where the files are.
   *
   * @return an absolute path
   */
  public Path folder() {
    return export.folder();
  }

  /** Gives up the description; the folder stays, with the files that were not moved. Idempotent. */
  @Override
  public void close() {
    export.close();
    watch.end();
  }

  @Override
  public String toString() {
    return export.name();
  }
}
