/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NumberMark;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.TableCalls;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.TableProperties;
import org.rocksdbffm.internal.order.OrderState;
import org.rocksdbffm.internal.settings.IngestSetting;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.upkeep.FileWork;

/**
 * Ingests table files into column families. First refuses files that would make RocksDB lose rows or end the process:
 * moving a file of an open database, moving a symbolic link instead of its file, merge operands without a merge
 * operator, and a changed Java comparator.
 */
public final class Ingestion {
  private static final String OF_DATABASE = "\\d+\\.(sst|ldb)";

  private static final long PART = 4 * Long.BYTES; // the size of a rocksdb_ffm_cxx_ingestion
  private static final long SLICE = 2 * Long.BYTES;

  private final List<NativeFamily> families;
  private final Database database;
  private final Map<IngestSetting, Long> settings;
  private final String doing;
  private final String tried;

  private Ingestion(Database database, List<NativeFamily> families, Map<IngestSetting, Long> settings) {
    this.families = families;
    this.database = database;
    this.settings = settings;
    this.doing =
        "ingesting into "
            + (families.size() == 1
                ? families.getFirst().handle().name()
                : families.size() + " column families of " + database.name());
    this.tried = doing + ", of which nothing was done";
  }

  public static void run(NativeFamily family, List<Path> files, Map<IngestSetting, Long> settings) {
    run(family.database(), Map.of(family, files), settings);
  }

  /** Ingests the files of each family; all of them or none. */
  public static void run(Database database, Map<NativeFamily, List<Path>> files, Map<IngestSetting, Long> settings) {
    Ingestion ingestion = new Ingestion(database, List.copyOf(files.keySet()), settings);
    ingestion.within(call -> {});
    database.requireWritable();
    database.pauses().requireWork();
    NativeEncryption.during(database.encryption(), () -> {
      Map<NativeFamily, List<FolderPath>> given = ingestion.checked(files);
      try (EncryptedTables tables = EncryptedTables.of(database, given, ingestion.tried)) {
        tables.files().forEach(ingestion::checkContents);
        database.transactions().exclude(() -> ingestion.within(call -> ingestion.ingest(tables, call)));
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

  private Map<NativeFamily, List<FolderPath>> checked(Map<NativeFamily, List<Path>> files) {
    Set<Path> known = new HashSet<>();
    Map<NativeFamily, List<FolderPath>> checked = new LinkedHashMap<>();
    files.forEach((family, ofFamily) -> checked.put(family, checked(ofFamily, known)));
    return checked;
  }

  private List<FolderPath> checked(List<Path> files, Set<Path> known) {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("files: there are none to be ingested");
    }
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

  private void checkContents(NativeFamily family, List<FolderPath> files) {
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

  /** Runs work within calls that use the database and all families; drops of these wait. */
  private void within(Consumer<Call> work) {
    try (Calls calls = new Calls()) {
      Call call = null;
      for (NativeFamily family : families) {
        Handle reading = family.isDefault() ? null : family.handle();
        Handle writing = family.isDefault() ? null : family.writing();
        call = calls.enter(() -> Call.enter(database.handle(), reading, writing));
      }
      work.accept(call);
    }
  }

  private void ingest(EncryptedTables tables, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      OrderState.amongFiles(() -> {
        if (families.size() == 1) {
          ingestOne(tables, arena, call.error);
        } else {
          ingestAll(tables, arena, call.error);
        }
      });
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
            LostCommit.isIn(failure) ? doing + repair(tables) : tried + IngestionAdvice.on(failure));
      }
    }
  }

  private String repair(EncryptedTables tables) {
    List<LostCommit.Part> parts = new ArrayList<>();
    tables.files().forEach((family, files) ->
        parts.add(new LostCommit.Part(family.tableFolder(), files.stream().map(FolderPath::path).toList())));
    return LostCommit.repair(database, parts);
  }

  private void ingestOne(EncryptedTables tables, Arena arena, MemorySegment error) {
    tables.files().forEach((family, files) -> {
      MemorySegment names =
          Memory.pointers(files.stream().map(file -> Memory.string(file.bytes(), arena)).toList(), arena);
      RocksDbC.rocksdb_ingest_external_file_cf(
          database.pointer(), family.pointer(), names, files.size(), options(tables, files, arena), error);
    });
  }

  private void ingestAll(EncryptedTables tables, Arena arena, MemorySegment error) {
    MemorySegment parts = arena.allocate(families.size() * PART, Long.BYTES);
    long[] at = {0};
    tables.files().forEach((family, files) -> {
      MemorySegment names = arena.allocate(files.size() * SLICE, Long.BYTES);
      for (int i = 0; i < files.size(); i++) {
        byte[] name = files.get(i).bytes();
        Memory.point(names, i * SLICE, Memory.string(name, arena));
        names.set(ValueLayout.JAVA_LONG, i * SLICE + Long.BYTES, name.length);
      }
      Memory.point(parts, at[0], family.pointer());
      Memory.point(parts, at[0] + Long.BYTES, names);
      parts.set(ValueLayout.JAVA_LONG, at[0] + 2 * Long.BYTES, files.size());
      Memory.point(parts, at[0] + 3 * Long.BYTES, options(tables, files, arena));
      at[0] += PART;
    });
    TableCalls.ingest(database.pointer().address(), parts.address(), families.size(), error.address());
  }

  private MemorySegment options(EncryptedTables tables, List<FolderPath> files, Arena arena) {
    MemorySegment options =
        Memory.until(
            arena, RocksDbC::rocksdb_ingestexternalfileoptions_destroy, RocksDbC.rocksdb_ingestexternalfileoptions_create());
    settings.forEach((setting, value) -> setting.apply(options, value));
    if (tables.areCopies(files)) {
      IngestSetting.MOVE.apply(options, 1);
    }
    return options;
  }
}
