/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NumberMark;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.TableProperties;
import org.rocksdbffm.internal.order.OrderState;
import org.rocksdbffm.internal.settings.IngestSetting;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.upkeep.FileWork;

/**
 * Ingests table files into a column family. First refuses files that would make RocksDB lose rows or end the process:
 * moving a file of an open database, moving a symbolic link instead of its file, merge operands without a merge
 * operator, and a changed Java comparator.
 */
public final class Ingestion {
  private static final String OF_DATABASE = "\\d+\\.(sst|ldb)";

  private final NativeFamily family;
  private final Database database;
  private final Map<IngestSetting, Long> settings;
  private final String doing;
  private final String tried;

  private Ingestion(NativeFamily family, Map<IngestSetting, Long> settings) {
    this.family = family;
    this.database = family.database();
    this.settings = settings;
    this.doing = "ingesting into " + family.handle().name();
    this.tried = doing + ", of which nothing was done";
  }

  public static void run(NativeFamily family, List<Path> files, Map<IngestSetting, Long> settings) {
    Ingestion ingestion = new Ingestion(family, settings);
    ingestion.enter().exit();
    family.database().requireWritable();
    family.database().pauses().requireWork();
    NativeEncryption.during(family.database().encryption(), () -> {
      List<FolderPath> given = ingestion.checked(files);
      try (EncryptedTables tables = EncryptedTables.of(family.database(), given, ingestion.tried)) {
        ingestion.checkContents(tables.files());
        family.database().transactions().exclude(() -> ingestion.ingest(tables));
        if (ingestion.isMove()) {
          tables.deletePlain();
        }
      }
      return null;
    });
  }

  private boolean isMove() {
    return settings.getOrDefault(IngestSetting.MOVE, 0L) != 0;
  }

  private List<FolderPath> checked(List<Path> files) {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("files: there are none to be ingested");
    }
    Set<Path> known = new HashSet<>();
    List<FolderPath> checked = new ArrayList<>();
    for (Path file : files) {
      FolderPath named = FolderPath.of("files", file);
      try {
        Path real = named.path().toRealPath(); // the engine would move the link instead of its target
        if (!known.add(real)) {
          throw new IllegalArgumentException("files: " + real + " is named twice");
        }
        check(real);
        checked.add(FolderPath.of("files", real));
      } catch (NoSuchFileException e) {
        throw Status.parse("IO error: No such file or directory: " + named, tried);
      } catch (IOException e) {
        throw Status.of(e, tried);
      }
    }
    return checked;
  }

  private void check(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw Status.parse("Invalid argument: " + file + " is no file", tried);
    }
    String key = database.encryption() == null ? DatabaseFile.keyOf(file) : null;
    if (key != null) {
      throw Status.parse(
          "Invalid argument: " + file + " is encrypted, with the key '" + key + "'",
          tried + ": the database is not encrypted");
    }
    Path folder = file.getParent();
    if (FolderPath.isWithin(folder, database.folder())) {
      throw Status.parse(
          "Invalid argument: " + file + " is in the folder of the database itself, which deletes files there",
          tried + ": put files for an ingestion elsewhere");
    }
    if (DatabaseFolders.isBeside(folder)) {
      throw Status.parse(
          "Invalid argument: " + file + " is in a folder of tables, where its database deletes files",
          tried + ": put files for an ingestion elsewhere");
    }
    if (isMove() && file.getFileName().toString().matches(OF_DATABASE) && Files.exists(folder.resolve("CURRENT"))) {
      throw Status.parse(
          "Invalid argument: " + file + " is in the folder of another database, which would lose it",
          tried + ": copy it, by FamilyFiles.IngestOptions.move(false)");
    }
  }

  private void checkContents(List<FolderPath> files) {
    try {
      for (FolderPath file : files) {
        if (!family.rules().mergeable()) {
          requireNoMerges(file.path());
        }
        if (database.cachesRows()) {
          CachedRows.requireNoRanges(file.path(), tried);
        }
      }
    } catch (IOException e) {
      throw Status.of(e, tried);
    }
  }

  /** The engine ends the process when it finds merge operands and has no merge operator. */
  private void requireNoMerges(Path file) throws IOException {
    if (Uninterrupted.run(() -> TableProperties.hasMerges(file))) {
      throw Status.parse(
          "Invalid argument: " + file + " has operands of merges, and the column family has no merge operator",
          tried + ": open it with the merge operator that they are for");
    }
  }

  private Call enter() {
    Handle reading = family.isDefault() ? null : family.handle();
    Handle writing = family.isDefault() ? null : family.writing(); // drops wait
    return Call.enter(database.handle(), reading, writing);
  }

  private void ingest(EncryptedTables tables) {
    List<FolderPath> files = tables.files();
    try (Call call = enter();
        Arena arena = Arena.ofConfined()) {
      MemorySegment names =
          Memory.pointers(files.stream().map(file -> Memory.string(file.bytes(), arena)).toList(), arena);
      MemorySegment options =
          Memory.until(
              arena, RocksDbC::rocksdb_ingestexternalfileoptions_destroy, RocksDbC.rocksdb_ingestexternalfileoptions_create());
      settings.forEach((setting, value) -> setting.apply(options, value));
      if (tables.areAllCopies()) {
        IngestSetting.MOVE.apply(options, 1);
      }
      OrderState.amongFiles(() ->
          RocksDbC.rocksdb_ingest_external_file_cf(
              database.pointer(), family.pointer(), names, files.size(), options, call.error));
      boolean isIngested = !call.hasFailed();
      NumberMark.write(database, false, call.error); // it may have flushed
      String failure = call.hasFailed() ? Status.takeText(call.error) : null;
      database.requireSound();
      if (failure != null && isIngested) {
        throw Status.parse(failure, "a mark in the WAL after " + doing + ", which was done");
      } else if (failure != null) {
        FileWork.deleteUnknownFiles(database); // the engine does not delete a partly copied file
        throw Status.parse(
            failure,
            LostCommit.isIn(failure)
                ? doing + LostCommit.repair(database, family.tableFolder(), files.stream().map(FolderPath::path).toList())
                : tried + IngestionAdvice.on(failure));
      }
    }
  }
}
