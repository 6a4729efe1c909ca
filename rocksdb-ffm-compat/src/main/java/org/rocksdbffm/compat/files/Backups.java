/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.rocksdb.BackupInfo;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.callback.Comparators;
import org.rocksdbffm.compat.database.OpenFolders;
import org.rocksdbffm.compat.database.Opened;
import org.rocksdbffm.compat.support.Constructor;
import org.rocksdbffm.compat.support.EncryptedFiles;
import org.rocksdbffm.compat.support.Encryption;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.compat.support.Wrappers;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.folder.OptionsFile;
import org.rocksdbffm.internal.foreign.Memory;

/** Creates, lists, deletes and restores backups. */
public final class Backups {
  private static final Constructor<BackupInfo> INFO =
      new Constructor<>(BackupInfo.class, int.class, long.class, long.class, int.class, String.class);

  private static final int NAMES_OF_CHECKSUMS = 1; // the engine's value of kLegacyCrc32cAndFileSize

  /**
   * The pointers of BackupEngines that name shared tables by DB session ID. Such a BackupEngine opens each table to
   * read the ID, with the comparator registered under its name. No Java comparator is registered, and the engine ends
   * the process for a table with range deletions.
   */
  private static final Set<Long> OPENING_TABLES = ConcurrentHashMap.newKeySet();

  private static final Map<Long, Writer> WRITERS = new ConcurrentHashMap<>();

  private Backups() {}

  /** The folder of a BackupEngine, and the backups that it knows. */
  private record Writer(String folder, Set<String> seen) {
    /**
     * Runs a write to the folder, unless it contains a backup unknown to this engine, which the write would overwrite
     * or delete. Only the subfolder with backups is claimed, because it may be inside the folder of an open database.
     */
    void write(Opened.Opening<Void> work) throws RocksDBException {
      OpenFolders.replace(folder + "/meta", () -> {
        if (!seen.containsAll(backups())) {
          throw Errors.of(
              Status.Code.IOError, folder
              + " has backups that another BackupEngine made since this one was opened: open it again");
        }
        try {
          return work.open();
        } finally {
          seen.addAll(backups());
        }
      });
    }

    private List<String> backups() {
      String[] names = new File(folder, "meta").list((all, name) -> name.matches("[0-9]+"));
      return names == null ? List.of() : List.of(names);
    }
  }

  public static long open(long env, long options) throws RocksDBException {
    boolean names =
        rocksdb_backup_engine_options_get_share_table_files(options)
            && rocksdb_backup_engine_options_get_share_files_with_checksum(options);
    if (names && !Comparators.names().isEmpty()) {
      rocksdb_backup_engine_options_set_share_files_with_checksum_naming(options, NAMES_OF_CHECKSUMS);
    }
    EncryptedFiles.requireBackups(folder(options));
    Writer writer = new Writer(folder(options), ConcurrentHashMap.newKeySet());
    writer.seen.addAll(writer.backups());
    Call call = Scratch.enter();
    try {
      long engine = rocksdb_backup_engine_open_opts(options, Scratch.wrap(call, 0, env), Scratch.error(call));
      Scratch.check(call);
      long opened = Wrappers.keep(engine);
      WRITERS.put(opened, writer);
      if (names && rocksdb_backup_engine_options_get_share_files_with_checksum_naming(options) != NAMES_OF_CHECKSUMS) {
        OPENING_TABLES.add(opened);
      }
      return opened;
    } finally {
      call.exit();
    }
  }

  public static void dispose(long engine) {
    OPENING_TABLES.remove(engine);
    WRITERS.remove(engine);
    rocksdb_backup_engine_close(Wrappers.take(engine));
  }

  public static void create(long engine, long db, boolean flushes) throws RocksDBException {
    createWithMetadata(engine, db, "", flushes);
  }

  public static void createWithMetadata(long engine, long db, String metadata, boolean flushes)
      throws RocksDBException {
    if (OPENING_TABLES.contains(engine)) {
      requireNoJavaOrder(db);
    }
    WRITERS.get(engine).write(() -> {
      write(engine, db, metadata, flushes);
      return null;
    });
  }

  private static void write(long engine, long db, String metadata, boolean flushes) throws RocksDBException {
    long options = rocksdb_create_backup_options_create();
    Call call = Scratch.enter();
    try {
      rocksdb_create_backup_options_set_flush_before_backup(options, flushes);
      byte[] text = metadata.getBytes(UTF_8);
      call.copyValue(text);
      rocksdb_backup_engine_create_new_backup_with_metadata(
          Scratch.wrap(call, 0, engine),
          Scratch.wrap(call, 2, db),
          options,
          call.value().address(),
          text.length,
          0,
          Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
      rocksdb_create_backup_options_destroy(options);
    }
  }

  public static void purge(long engine, int kept) throws RocksDBException {
    WRITERS.get(engine).write(() -> {
      Call call = Scratch.enter();
      try {
        rocksdb_backup_engine_purge_old_backups(Scratch.wrap(call, 0, engine), kept, Scratch.error(call));
        Scratch.check(call);
        return null;
      } finally {
        call.exit();
      }
    });
  }

  public static void delete(long engine, int backup) throws RocksDBException {
    WRITERS.get(engine).write(() -> {
      Java_org_rocksdb_BackupEngine_deleteBackup(engine, backup);
      return null;
    });
  }

  public static void collect(long engine) throws RocksDBException {
    WRITERS.get(engine).write(() -> {
      Java_org_rocksdb_BackupEngine_garbageCollect(engine);
      return null;
    });
  }

  private static void requireNoJavaOrder(long db) {
    Set<String> orders = Comparators.names();
    if (!orders.isEmpty() && storedOrders(Path.of(Java_org_rocksdb_RocksDB_getName(db))).anyMatch(orders::contains)) {
      throw new IllegalStateException(
          "BackupEngine: it was opened before the database's comparator in Java was made: open it again");
    }
  }

  private static Stream<String> storedOrders(Path folder) {
    try {
      OptionsFile stored = Encryption.during(() -> OptionsFile.newest(folder));
      return stored == null
          ? Stream.of()
          : stored.families().values().stream().map(family -> family.getOrDefault("comparator", ""));
    } catch (IOException | IllegalArgumentException e) {
      return Stream.of(); // an in-memory database, or without an OPTIONS file
    }
  }

  public static List<BackupInfo> list(long engine) {
    Call call = Scratch.enter();
    long infos;
    try {
      infos = rocksdb_backup_engine_get_backup_info(Scratch.wrap(call, 0, engine));
    } finally {
      call.exit();
    }
    try {
      List<BackupInfo> all = new ArrayList<>();
      for (int i = 0; i < rocksdb_backup_engine_info_count(infos); i++) {
        all.add(
            INFO.make(
                rocksdb_backup_engine_info_backup_id(infos, i),
                rocksdb_backup_engine_info_timestamp(infos, i),
                rocksdb_backup_engine_info_size(infos, i),
                rocksdb_backup_engine_info_number_files(infos, i),
                metadata(infos, i)));
      }
      return all;
    } finally {
      rocksdb_backup_engine_info_destroy(infos);
    }
  }

  /** Returns a backup's metadata; null if empty, as in rocksdbjni. */
  private static String metadata(long infos, int index) {
    Call call = Scratch.enter();
    try {
      long text = rocksdb_backup_engine_info_app_metadata(infos, index, call.sizeCell.address());
      long size = call.sizeInCell();
      return size == 0 ? null : new String(Memory.toArray(text, size), UTF_8);
    } finally {
      call.exit();
    }
  }

  private interface Restoring {
    void run(long engine, long folder, long walFolder, long error);
  }

  public static void restore(long engine, int backup, String folder, String walFolder, long options)
      throws RocksDBException {
    restore(engine, folder, walFolder, (wrapped, to, walTo, error) ->
        rocksdb_backup_engine_restore_db_from_backup(wrapped, to, walTo, options, backup, error));
  }

  public static void restoreLatest(long engine, String folder, String walFolder, long options) throws RocksDBException {
    restore(engine, folder, walFolder, (wrapped, to, walTo, error) ->
        rocksdb_backup_engine_restore_db_from_latest_backup(wrapped, to, walTo, options, error));
  }

  private static void restore(long engine, String folder, String walFolder, Restoring restoring)
      throws RocksDBException {
    OpenFolders.replace(folder, () -> {
      try (Arena arena = Arena.ofConfined()) {
        long to = Text.ofPath(folder, arena).address();
        long walTo = Text.ofPath(walFolder, arena).address();
        Call call = Scratch.enter();
        try {
          restoring.run(Scratch.wrap(call, 0, engine), to, walTo, Scratch.error(call));
          Scratch.check(call);
        } finally {
          call.exit();
        }
        return null;
      }
    });
  }

  public static String folder(long options) {
    Call call = Scratch.enter();
    try {
      long text = rocksdb_backup_engine_options_get_backup_dir(options, call.sizeCell.address());
      return new String(Memory.toArray(text, call.sizeInCell()), UTF_8);
    } finally {
      call.exit();
    }
  }

  private static native void Java_org_rocksdb_BackupEngine_deleteBackup(long engine, int backup)
      throws RocksDBException;

  private static native void Java_org_rocksdb_BackupEngine_garbageCollect(long engine) throws RocksDBException;

  private static native void rocksdb_backup_engine_purge_old_backups(long engine, int kept, long error);

  private static native boolean rocksdb_backup_engine_options_get_share_table_files(long options);

  private static native boolean rocksdb_backup_engine_options_get_share_files_with_checksum(long options);

  private static native int rocksdb_backup_engine_options_get_share_files_with_checksum_naming(long options);

  private static native void rocksdb_backup_engine_options_set_share_files_with_checksum_naming(long options,
      int naming);

  private static native String Java_org_rocksdb_RocksDB_getName(long db);

  private static native long rocksdb_backup_engine_open_opts(long options, long env, long error);

  private static native void rocksdb_backup_engine_close(long engine);

  private static native long rocksdb_create_backup_options_create();

  private static native void rocksdb_create_backup_options_destroy(long options);

  private static native void rocksdb_create_backup_options_set_flush_before_backup(long options, boolean flushes);

  private static native void rocksdb_backup_engine_create_new_backup_with_metadata(
      long engine, long db, long options, long metadata, long metadataSize, long backup, long error);

  private static native long rocksdb_backup_engine_get_backup_info(long engine);

  private static native int rocksdb_backup_engine_info_count(long infos);

  private static native int rocksdb_backup_engine_info_backup_id(long infos, int index);

  private static native long rocksdb_backup_engine_info_timestamp(long infos, int index);

  private static native long rocksdb_backup_engine_info_size(long infos, int index);

  private static native int rocksdb_backup_engine_info_number_files(long infos, int index);

  private static native long rocksdb_backup_engine_info_app_metadata(long infos, int index, long size);

  private static native void rocksdb_backup_engine_info_destroy(long infos);

  private static native void rocksdb_backup_engine_restore_db_from_backup(
      long engine, long folder, long walFolder, long options, int backup, long error);

  private static native void rocksdb_backup_engine_restore_db_from_latest_backup(
      long engine, long folder, long walFolder, long options, long error);

  private static native long rocksdb_backup_engine_options_get_backup_dir(long options, long size);
}
