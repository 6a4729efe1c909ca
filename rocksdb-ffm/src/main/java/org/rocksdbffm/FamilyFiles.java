/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.ingest.Ingestion;
import org.rocksdbffm.internal.ingest.NativeExport;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.TableFiles;

/** The files of a column family. Thread-safe; usable as long as the family is open. */
public sealed class FamilyFiles permits DatabaseFiles {
  private final NativeFamily family;
  private final KeySpace keys;

  FamilyFiles(NativeFamily family, KeySpace keys) {
    this.family = family;
    this.keys = keys;
  }

  /**
   * The levels of the column family at the moment, and the table files on each: all those of one moment.
   *
   * @return the levels from 0 on, those without files too
   */
  public List<LsmLevel> levels() {
    return LsmLevel.of(TableFiles.levels(family));
  }

  /**
   * The levels of the column family at the moment, and on each those table files that have keys in a range. A file that only
   * begins with the first key behind the range may be among them, and on level 0 others that have keys in common with these.
   *
   * @param range which keys
   * @return the levels from 0 on, those without such files too
   */
  public List<LsmLevel> levels(KeyRange range) {
    requireNonNull(range, "range");
    return LsmLevel.of(TableFiles.levels(family, range.lower(), range.upper()));
  }

  /**
   * About how much of the files and memtables a range of keys takes.
   *
   * @param range which keys
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range) {
    return approximateSize(range, ApproximateSizeOptions.defaults());
  }

  /**
   * About how much of the files and memtables a range of keys takes. Where an end of the range is open, the first or the last
   * key is read.
   *
   * @param range which keys
   * @param options which parts of the database count
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range, ApproximateSizeOptions options) {
    KeyRange its = requireNonNull(range, "range").in(family.rules());
    requireNonNull(options, "options");
    byte[] from = its.lower();
    byte[] until = its.upper();
    if (from == null || until == null) {
      try (Cursor cursor = keys.with(ReadOptions.defaults()).cursor()) {
        if (!cursor.first()) {
          return ByteSize.bytes(0);
        }
        from = from == null ? cursor.keyBytes() : from;
        if (until == null && cursor.last()) {
          until = KeyRange.through(cursor.keyBytes()).in(family.rules()).upper();
        }
      }
    }
    FileWork.Measure measure =
        new FileWork.Measure(options.memtables(), options.tables(), options.blobs(), options.errorMargin());
    return ByteSize.bytes(FileWork.approximateSize(family, from, until, measure));
  }

  /**
   * Compacts chosen table files into a level, on this thread, and waits for that.
   *
   * @param files of this column family
   * @param level a level that none of the files is below
   * @return the new files
   */
  public List<Path> compact(List<LiveFile> files, int level) {
    return compact(files, level, CompactFilesOptions.defaults());
  }

  /**
   * Compacts chosen table files into a level, on this thread, and waits for that. Those that have to go with them are
   * compacted too: on the levels between, files with keys in the same range, and on level 0 older ones.
   *
   * <p>Throws {@link RocksDbException} with the code INVALID_ARGUMENT if a file is not the column family's any more, and with
   * ABORTED if one is being compacted already.
   *
   * @param files of this column family
   * @param level a level that none of the files is below
   * @param options how
   * @return the new files
   */
  public List<Path> compact(List<LiveFile> files, int level, CompactFilesOptions options) {
    List<Path> paths = new ArrayList<>();
    requireNonNull(files, "files").forEach(file -> paths.add(requireNonNull(file, "files: a file is null").path()));
    requireNonNull(options, "options");
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("files: there are none to be compacted");
    }
    TableFiles.How how =
        new TableFiles.How(level, options.fileSize().bytes(), options.maxSubcompactions(), options.mayMove());
    return List.copyOf(TableFiles.compact(family, paths, how));
  }

  /**
   * Has the engine compact the files that hold a range of keys when it has time, and does not wait for that.
   *
   * @param range which keys
   */
  public void suggestCompact(KeyRange range) {
    requireNonNull(range, "range");
    FileWork.suggestCompact(family, range.lower(), range.upper());
  }

  /**
   * Deletes files all of whose keys lie between two keys, which frees their room at once. It is no deletion of rows: the
   * files of level 0, those that are being compacted and those that reach beyond an end stay, and so do memtables; where a row
   * was overwritten, its older value may come to light in a file that stays, for snapshots too. Delete the rows first
   * ({@link KeySpace#deleteRange(KeyRange)}), and this to be rid of them sooner.
   *
   * @param first the first key that may go
   * @param last the last key that may go, which is included
   */
  public void deleteWithin(byte[] first, byte[] last) {
    FileWork.deleteFilesWithin(family, requireNonNull(first, "first"), requireNonNull(last, "last"));
  }

  /**
   * Makes a table file that a {@link TableWriter} has finished a part of the column family, at one moment.
   *
   * @param file copied, and stays as it is
   */
  public void ingest(Path file) {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    ingest(List.of(requireNonNull(file, "file")), IngestOptions.defaults());
  }

  /**
   * Makes table files that a {@link TableWriter} has finished a part of the column family, all at one moment, or none of
   * them. Their rows go past the log. Where a key is in several of them, the last one has it. Ranges that they delete are
   * deleted from what the database had before, and from the files named before.
   *
   * <p>Writes wait for a moment, and longer where a memtable has to be flushed. Locks are not asked for: so a database with
   * transactions ingests nothing while there are any that are not ended, and those that are begun meanwhile wait.
   *
   * @param files in the order from the oldest to the newest, none twice, and none of an open database
   * @param options how
   */
  public void ingest(List<Path> files, IngestOptions options) {
    List<Path> named = new ArrayList<>();
    requireNonNull(files, "files").forEach(file -> named.add(requireNonNull(file, "files: a file is null")));
    Ingestion.run(family, named, requireNonNull(options, "options").settings());
  }

  /**
   * Exports the column family as it is now: its table files are linked into a folder, or copied to another disk. The
   * memtables are written to files first. Values in blob files cannot be exported.
   *
   * @param folder does not exist, or is empty; beside it, a folder of its name with {@code .tmp} behind is in use meanwhile
   * @return the export, which the caller <em>owns</em> and must close, and which databases of this process import
   */
  public ExportedFamily export(Path folder) {
    NativeExport made = NativeExport.create(family, FolderPath.of(folder));
    try {
      return new ExportedFamily(made);
    } catch (Throwable e) {
      made.close();
      throw e;
    }
  }
}
