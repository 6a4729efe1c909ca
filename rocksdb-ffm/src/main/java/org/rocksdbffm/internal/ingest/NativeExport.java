/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CopyGate;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.files.StagingFolder;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.TableProperties;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.settings.NativeEncryption;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.Flushes;

/**
 * An exported column family. <em>Owns</em> the engine's metadata of its files, which exists only in memory, and
 * contains what the files do not: their levels, and the bounds of range deletions. Thread-safe.
 */
public final class NativeExport implements HandledResource {
  private static final String STAGING = ".tmp"; // chosen by the engine
  private static final String BLOB_FILES = "rocksdb.num-blob-files";

  private static final String DESCRIPTION = "EXPORT";
  private static final String NEW_DESCRIPTION = "EXPORT.tmp";

  private final Path folder;
  private final Handle handle;
  private final NativeEncryption encryption; // the encryption of the files; null if they are not encrypted
  private MemorySegment metadata; // null after the close

  /** An operation on one file of the export. */
  private interface Look {
    void at(MemorySegment files, int i, Path file, Arena arena) throws IOException;
  }

  private NativeExport(Path folder, MemorySegment metadata, NativeEncryption encryption) {
    this.folder = folder;
    this.encryption = encryption == null ? null : encryption.share();
    this.handle = new Handle("export " + folder);
    this.metadata = metadata;
    LiveObjects.EXPORTS.made();
  }

  public static NativeExport create(NativeFamily family, FolderPath target) {
    StackRoom.require();
    Database database = family.database();
    Call.enter(database.handle()).exit();
    database.requireWritable();
    Flushes.flush(family, true, true);
    String tried = "export of " + family.handle().name() + " to " + target;
    requireNoBlobs(family, tried);
    requireNoPaths(family, tried);
    try (StagingFolder staging = StagingFolder.of(target.path(), STAGING, tried)) {
      staging.removeEmptyTarget();
      staging.begin();
      FolderPath real = FolderPath.of(staging.target());
      MemorySegment metadata = export(family, real, tried);
      try {
        requireNoBlobs(family, tried + ", which is left there");
        return new NativeExport(real.path(), metadata, database.encryption());
      } catch (Throwable e) {
        RocksDbC.rocksdb_export_import_files_metadata_destroy(metadata);
        throw e;
      }
    }
  }

  /** Opens an export whose description was saved. */
  public static NativeExport open(FolderPath given) {
    StackRoom.require();
    Path file = given.path().resolve(DESCRIPTION);
    String tried = "opening the export " + given;
    try {
      FolderPath folder = FolderPath.of(given.path().toRealPath());
      ExportDescription description = ExportDescription.of(Uninterrupted.run(() -> DatabaseFile.bytes(file)));
      NativeEncryption encryption = NativeEncryption.shareOfCurrent();
      try {
        return new NativeExport(folder.path(), ExportMetadata.of(description, folder), encryption);
      } finally {
        Shared.release(encryption);
      }
    } catch (NoSuchFileException e) {
      throw Status.parse(
          "IO error: No such file or directory: " + file,
          tried + ": save the export before it is closed, by FamilyFiles.ExportedFamily.save");
    } catch (Fields.Unreadable | EOFException e) {
      throw Status.parse("Corruption: " + file + " cannot be read: " + e.getMessage(), tried + ": export again");
    } catch (IOException e) {
      throw Status.of(e, tried);
    }
  }

  /** Writes the description to the folder, encrypted like the files; replaces an older one. */
  public void save() {
    StackRoom.require();
    try (Call _ = Call.enter(handle)) {
      byte[] bytes = ExportMetadata.describe(metadata).toBytes();
      Uninterrupted.run(() -> {
        save(bytes);
        return null;
      });
      Uninterrupted.sync(folder);
    } catch (IOException e) {
      throw Status.of(e, "saving the description of the " + name());
    }
  }

  private void save(byte[] bytes) throws IOException {
    Path written = folder.resolve(NEW_DESCRIPTION);
    Files.deleteIfExists(written);
    if (encryption == null) {
      try (FileChannel out = FileChannel.open(written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          out.write(left);
        }
        out.force(true);
      }
    } else {
      encryption.write(written, Channels.newChannel(new ByteArrayInputStream(bytes)));
    }
    Files.move(written, folder.resolve(DESCRIPTION), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The engine exports only table files, without the blob files that they refer to. */
  private static void requireNoBlobs(NativeFamily family, String tried) {
    if (family.longProperty(BLOB_FILES).orElse(0) != 0) {
      throw Status.parse(
          "Not implemented: " + family.handle().name() + " has values in blob files, which an export leaves behind",
          tried + ": copy the whole database, by RocksDb.checkpoint");
    }
  }

  /** The engine searches only the database folder for tables. */
  private static void requireNoPaths(NativeFamily family, String tried) {
    if (family.hasPaths()) {
      throw Status.parse(
          "Not implemented: " + family.handle().name() + " has its tables in folders of FamilyOptions.paths, where no export finds them",
          tried + ": scan it, and write the rows to a TableWriter");
    }
  }

  private static MemorySegment export(NativeFamily family, FolderPath real, String tried) {
    return family.within((db, arena, error) -> {
      MemorySegment checkpoint = RocksDbC.rocksdb_checkpoint_object_create(db, error);
      Status.check(error, tried);
      Memory.until(arena, RocksDbC::rocksdb_checkpoint_object_destroy, checkpoint);
      MemorySegment made =
          RocksDbC.rocksdb_checkpoint_export_column_family(
              checkpoint, family.pointer(), Memory.string(real.bytes(), arena), error);
      Status.check(error, tried + ": nothing is there, and the column family is as it was");
      return made;
    });
  }

  /** Creates a column family from the files, and opens it with the options. */
  public NativeFamily importInto(Database database, String name, NativeOptions options, boolean move) {
    StackRoom.require();
    Call call = Call.enter(database.handle(), null, handle);
    try (Arena arena = Arena.ofConfined()) {
      database.requireWritable();
      String tried = "importing " + folder + " as the column family '" + name + "' of " + database.name();
      NativeEncryption.during(database.encryption(), () -> {
        check(database, options, tried);
        return null;
      });
      database.claim(options);
      return adoptImported(database, name, options, move, call, arena, tried);
    } finally {
      call.exit();
    }
  }

  private NativeFamily adoptImported(
      Database database, String name, NativeOptions options, boolean move, Call call, Arena arena, String tried) {
    try (CopyGate.Pass _ = database.copies().passFamily(options.isOrderedInJava())) {
      MemorySegment how =
          Memory.until(
              arena,
              RocksDbC::rocksdb_import_column_family_options_destroy,
              RocksDbC.rocksdb_import_column_family_options_create());
      RocksDbC.rocksdb_import_column_family_options_set_move_files(how, (byte) (move ? 1 : 0));
      MemorySegment made =
          RocksDbC.rocksdb_create_column_family_with_import(
              database.pointer(), options.pointer(), Memory.string(name, arena), how, metadata, call.error);
      String failure = call.hasFailed() ? Status.takeText(call.error) : null;
      if (failure != null) {
        database.requireSound();
        FileWork.deleteUnknownFiles(database); // the engine does not delete a partly copied file
        throw Status.parse(failure, tried + outcome(database, options, failure) + IngestionAdvice.on(failure));
      }
      NativeFamily imported = database.adopt(name, made, options);
      database.requireSound();
      return imported;
    }
  }

  private String outcome(Database database, NativeOptions options, String failure) {
    if (!failure.startsWith("IO error: ")) {
      return ", of which nothing was done";
    }
    String undecided = "";
    if (LostCommit.isIn(failure)) {
      List<Path> files = new ArrayList<>();
      forEach((all, i, file, arena) -> files.add(file), name());
      undecided = LostCommit.repair(database, List.of(new LostCommit.Part(database.tableFolder(options), files)));
    }
    return undecided + ": if the database has the family without rows when it is opened again, drop it, and import again";
  }

  /** Refuses files that would make RocksDB silently drop rows, or end the process. */
  private void check(Database database, NativeOptions options, String tried) {
    int levels = options.live().levels();
    NativeComparator comparator = options.serve(database);
    boolean isSameName = comparator != null && comparator.name().equals(Status.takeText(RocksDbC.rocksdb_export_import_files_metadata_get_db_comparator_name(metadata).address())); // RocksDB refuses others
    int[] count = new int[1];
    forEach(
        (files, i, file, arena) -> {
          count[0]++;
          int level = RocksDbC.rocksdb_livefiles_level(files, i);
          if (level >= levels) {
            throw Status.parse(
                "Invalid argument: " + file + " is of level " + level + ", and the options have levels 0 to " + (levels - 1),
                tried + ": take options with as many levels (num_levels) as those that it was written with");
          }
          if (!options.rules().mergeable()) {
            requireNoMerges(file, tried);
          }
          if (database.cachesRows()) {
            CachedRows.requireNoRanges(file, tried);
          }
          if (isSameName) {
            requireInOrder(comparator, files, i, file, arena, tried);
          }
        },
        tried);
    if (count[0] == 0) {
      throw Status.parse(
          "Invalid argument: the column family had no rows, and the engine imports no empty one",
          tried + ": create it, by RocksDb.createFamily");
    }
  }

  private void forEach(Look look, String tried) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment files = RocksDbC.rocksdb_export_import_files_metadata_get_files(metadata);
      Memory.until(arena, RocksDbC::rocksdb_livefiles_destroy, files);
      for (int i = 0; i < RocksDbC.rocksdb_livefiles_count(files); i++) {
        String name = Memory.string(RocksDbC.rocksdb_livefiles_name(files, i).address()).substring(1); // cuts the slash
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
          throw Status.parse("IO error: No such file or directory: " + file, tried + ": it was moved, or deleted; export again");
        }
        look.at(files, i, file, arena);
      }
    } catch (IOException e) {
      throw Status.parse("IO error: " + e, tried);
    }
  }

  private static void requireNoMerges(Path file, String tried) throws IOException {
    if (Uninterrupted.run(() -> TableProperties.hasMerges(file))) {
      throw Status.parse(
          "Invalid argument: " + file + " has operands of merges, and the options have no merge operator",
          tried + ": take options with the merge operator that they are for");
    }
  }

  private static void requireInOrder(
      NativeComparator comparator, MemorySegment files, int i, Path file, Arena arena, String tried) {
    MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment first = RocksDbC.rocksdb_livefiles_smallestkey(files, i, size);
    long firstSize = size.get(ValueLayout.JAVA_LONG, 0);
    MemorySegment last = RocksDbC.rocksdb_livefiles_largestkey(files, i, size);
    long lastSize = size.get(ValueLayout.JAVA_LONG, 0);
    if (comparator.compare(
            Memory.at(first.address(), firstSize), firstSize, Memory.at(last.address(), lastSize), lastSize) > 0) {
      throw Status.parse(
          "Invalid argument: the last key of " + file + " comes before its first by the " + comparator,
          tried + ": it was written in another order under the same name; give another order another name");
    }
  }

  public Path folder() {
    return folder;
  }

  @Override
  public Handle handle() {
    return handle;
  }

  public void close() {
    handle.close();
    synchronized (this) {
      if (metadata != null) {
        RocksDbC.rocksdb_export_import_files_metadata_destroy(metadata);
        metadata = null;
        Shared.release(encryption);
        LiveObjects.EXPORTS.freed();
      }
    }
  }
}
