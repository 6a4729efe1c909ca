/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.compat.support.Wrappers;
import org.rocksdbffm.internal.call.Call;

/** Copies an open database or a column family, with hard links to its files. */
public final class Checkpoints {
  /** Flushes all writes in the WAL, as rocksdbjni does. */
  private static final long LOG_SIZE_FOR_FLUSH = 0;

  /**
   * Whether the Flink module, which cannot store empty files, is on the class path. Without that module, a checkpoint
   * has the same files as with rocksdbjni.
   */
  private static final boolean IS_FLINK_THERE =
      RocksDB.class.getResource("/org/rocksdb/FlinkCompactionFilter.class") != null;

  private Checkpoints() {}

  public static void create(long checkpoint, String path) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      long folder = Text.ofPath(path, arena).address();
      Call call = Scratch.enter();
      try {
        rocksdb_checkpoint_create(
            Scratch.wrap(call, 0, checkpoint), folder, LOG_SIZE_FOR_FLUSH, Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
    if (IS_FLINK_THERE) {
      deleteEmptyLogs(Path.of(path));
    }
  }

  /** Deletes empty WAL files. The engine opens a folder without them, unless it tracks WAL files in the MANIFEST. */
  private static void deleteEmptyLogs(Path folder) throws RocksDBException {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
      for (Path log : logs) {
        if (Files.size(log) == 0) {
          Files.delete(log);
        }
      }
    } catch (IOException e) {
      throw new RocksDBException("While deleting an empty log of the checkpoint " + folder + ": " + e);
    }
  }

  /** Exports a column family; returns the metadata of its files for an import. */
  public static long export(long checkpoint, long family, String path) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      long folder = Text.ofPath(path, arena).address();
      Call call = Scratch.enter();
      try {
        long exported =
            rocksdb_checkpoint_export_column_family(
                Scratch.wrap(call, 0, checkpoint), Scratch.wrap(call, 2, family), folder, Scratch.error(call));
        Scratch.check(call);
        return Wrappers.keep(exported);
      } finally {
        call.exit();
      }
    }
  }

  public static void disposeExported(long exported) {
    rocksdb_export_import_files_metadata_destroy(Wrappers.take(exported));
  }

  private static native void rocksdb_checkpoint_create(long checkpoint, long path, long logSizeForFlush, long error);

  private static native long rocksdb_checkpoint_export_column_family(
      long checkpoint, long family, long path, long error);

  private static native void rocksdb_export_import_files_metadata_destroy(long exported);
}
