/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.ingest.Ingestion;
import org.rocksdbffm.internal.ingest.NativeExport;
import org.rocksdbffm.internal.metrics.CacheText;
import org.rocksdbffm.internal.metrics.FamilyFigures;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.upkeep.Compactions;
import org.rocksdbffm.internal.upkeep.FamilyFiles;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.Flushes;
import org.rocksdbffm.internal.upkeep.LiveOptions;
import org.rocksdbffm.internal.write.NativeWriteOptions;
import org.rocksdbffm.internal.write.WritePath;

/**
 * Reads and writes the keys of one column family under one set of options. A database is the key space of
 * its default column family; a {@link ColumnFamily} is one; and {@code with} makes others, which need no
 * closing. Thread-safe.
 */
public sealed class KeySpace extends WritableKeys permits RocksDb, ColumnFamily {
  KeySpace(ReadPath source, ReadOptions readOptions, NativeWriteOptions writeOptions) {
    super(source, readOptions, new WritePath(source, writeOptions));
  }

  private KeySpace(ReadPath source, ReadOptions readOptions, WritePath path) {
    super(source, readOptions, path);
  }

  @Override
  public KeySpace with(ReadOptions options) {
    return new KeySpace(sourceWith(requireNonNull(options, "options")), options, path);
  }

  /**
   * Writes the same keys under other options.
   *
   * @param options replace all of this key space's write options
   * @return a key space that needs no closing
   */
  public KeySpace with(WriteOptions options) {
    return new KeySpace(source, readOptions, path.with(source, requireNonNull(options, "options").toNative()));
  }

  /**
   * Takes a snapshot of the whole database, whose reader reads this key space.
   *
   * @return the snapshot, which the caller <em>owns</em> and must close
   */
  public Snapshot snapshot() {
    return new Snapshot(this, NativeSnapshot.take(source.database()));
  }

  /**
   * Writes all of a batch, or nothing of it. The batch stays as it is.
   *
   * @param batch borrowed
   */
  public void write(WriteBatch batch) {
    requireNonNull(batch, "batch").writeTo(path, source.database());
  }

  /** Writes the memtables to files, and waits for that. */
  public void flush() {
    flush(FlushOptions.defaults());
  }

  /**
   * Writes the memtables to files.
   *
   * @param options how
   */
  public void flush(FlushOptions options) {
    requireNonNull(options, "options");
    Flushes.flush(source.family(), options.waitForFlush(), options.allowWriteStall());
  }

  /**
   * Compacts the files that hold a range of keys, and waits for that. Throws {@link RocksDbException} if anything failed
   * in the background meanwhile.
   *
   * @param range which keys
   */
  public void compact(KeyRange range) {
    compact(range, CompactOptions.defaults());
  }

  /**
   * Compacts the files that hold a range of keys, and waits for that. Throws {@link RocksDbException} if anything failed
   * in the background meanwhile.
   *
   * @param range which keys
   * @param options how
   */
  public void compact(KeyRange range, CompactOptions options) {
    requireNonNull(range, "range");
    requireNonNull(options, "options");
    Compactions.compact(
        source.family(),
        range.lower(),
        range.upper(),
        options.exclusive(),
        options.bottommost().ordinal(),
        options.targetLevel(),
        options.maxSubcompactions());
  }

  /**
   * About how much of the files and memtables a range of keys takes.
   *
   * @param from the first key of the range
   * @param until the first key behind the range
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(byte[] from, byte[] until) {
    return approximateSize(from, until, SizeOptions.defaults());
  }

  /**
   * About how much of the files and memtables a range of keys takes.
   *
   * @param from the first key of the range
   * @param until the first key behind the range
   * @param options say what counts
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(byte[] from, byte[] until, SizeOptions options) {
    requireNonNull(from, "from");
    requireNonNull(until, "until");
    requireNonNull(options, "options");
    FileWork.Measure measure =
        new FileWork.Measure(options.memtables(), options.tables(), options.blobs(), options.errorMargin());
    return ByteSize.bytes(FileWork.approximateSize(source.family(), from, until, measure));
  }

  /**
   * The levels of the column family at the moment, and the table files on each: all those of one moment.
   *
   * @return the levels from 0 on, those without files too
   */
  public List<Level> levels() {
    return Level.of(FamilyFiles.levels(source.family()));
  }

  /**
   * The levels of the column family at the moment, and on each those table files that have keys in a range. A file that only
   * begins with the first key behind the range may be among them, and on level 0 others that have keys in common with these.
   *
   * @param range which keys
   * @return the levels from 0 on, those without such files too
   */
  public List<Level> levels(KeyRange range) {
    requireNonNull(range, "range");
    return Level.of(FamilyFiles.levels(source.family(), range.lower(), range.upper()));
  }

  /**
   * Compacts chosen table files into a level, on this thread, and waits for that.
   *
   * @param files of this column family
   * @param level a level that none of the files is below
   * @return the new files
   */
  public List<Path> compactFiles(List<LiveFile> files, int level) {
    return compactFiles(files, level, CompactFilesOptions.defaults());
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
  public List<Path> compactFiles(List<LiveFile> files, int level, CompactFilesOptions options) {
    List<Path> paths = new ArrayList<>();
    requireNonNull(files, "files").forEach(file -> paths.add(requireNonNull(file, "files: a file is null").path()));
    requireNonNull(options, "options");
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("files: there are none to be compacted");
    }
    FamilyFiles.How how =
        new FamilyFiles.How(level, options.fileSize().bytes(), options.maxSubcompactions(), options.mayMove());
    return List.copyOf(FamilyFiles.compact(source.family(), paths, how));
  }

  /**
   * About how much of the files and memtables a range of keys takes. It looks for the first or the last key where the range
   * is open.
   *
   * @param range which keys
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range) {
    KeyRange its = requireNonNull(range, "range").in(source.family().rules());
    byte[] from = its.lower();
    byte[] until = its.upper();
    if (from == null || until == null) {
      try (Cursor cursor = with(ReadOptions.defaults()).cursor()) {
        if (!cursor.first()) {
          return ByteSize.bytes(0);
        }
        from = from == null ? cursor.keyBytes() : from;
        if (until == null && cursor.last()) {
          until = KeyRange.through(cursor.keyBytes()).in(source.family().rules()).upper();
        }
      }
    }
    return approximateSize(from, until);
  }

  /**
   * Has the engine compact the files that hold a range of keys when it has time, and does not wait for that.
   *
   * @param range which keys
   */
  public void suggestCompact(KeyRange range) {
    requireNonNull(range, "range");
    FileWork.suggestCompact(source.family(), range.lower(), range.upper());
  }

  /**
   * Deletes files all of whose keys lie between two keys, which frees their room at once. It is no deletion of rows: the
   * files of level 0, those that are being compacted and those that reach beyond an end stay, and so do memtables; where a row
   * was overwritten, its older value may come to light in a file that stays, for snapshots too. Delete the rows first
   * ({@link #deleteRange}), and this to be rid of them sooner.
   *
   * @param first the first key that may go
   * @param last the last key that may go, which is included
   */
  public void deleteFilesWithin(byte[] first, byte[] last) {
    FileWork.deleteFilesWithin(source.family(), requireNonNull(first, "first"), requireNonNull(last, "last"));
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
    Ingestion.run(source.family(), named, requireNonNull(options, "options").settings());
  }

  /**
   * Exports the column family as it is now: its table files are linked into a folder, or copied to another disk. The
   * memtables are written to files first. Values in blob files cannot be exported.
   *
   * @param folder does not exist, or is empty; beside it, a folder of its name with {@code .tmp} behind is in use meanwhile
   * @return the export, which the caller <em>owns</em> and must close, and which databases of this process import
   */
  public ExportedFamily export(Path folder) {
    NativeExport made = NativeExport.create(source.family(), FolderPath.of(folder));
    try {
      return new ExportedFamily(made);
    } catch (Throwable e) {
      made.close();
      throw e;
    }
  }

  /**
   * Figures of the column family: its estimated keys, its files, its memtables, and how full its caches are.
   *
   * @return the figures of this moment
   */
  public FamilyReport report() {
    return FamilyReport.of(FamilyFigures.of(source.family()));
  }

  /**
   * The kinds of entries in the block cache that the column family reads by. The thread that asks may look through the whole
   * cache for it, which others go on using.
   *
   * @param scan how old the answer may be
   * @return what the engine found when it last looked
   * @throws IllegalStateException if the column family has no block cache, or a strict one that is too full for the engine's
   *     own entry when it was opened
   */
  public CacheReport cacheReport(CacheScan scan) {
    NativeFamily family = source.family();
    return CacheReport.of(
        CacheText.of(family, requireNonNull(scan, "scan").property())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        family.handle() + " has no block cache that can be looked through: open it without"
                            + " TableOptions.noBlockCache, and with a cache that is not full")));
  }

  /**
   * Asks the engine for a property.
   *
   * @param name such as {@code rocksdb.stats}
   * @return the property's text, or null if the engine cannot tell it at the moment; a name that it does not have is refused
   */
  public String property(String name) {
    return source.family().property(requireNonNull(name, "name"));
  }

  /**
   * Asks the engine for a property that is a number.
   *
   * @param name such as {@code rocksdb.estimate-num-keys}
   * @return the number, unless the engine cannot tell it at the moment; a name that it does not have is refused
   */
  public OptionalLong longProperty(String name) {
    return source.family().longProperty(requireNonNull(name, "name"));
  }

  /**
   * Changes options of the column family while it is open. An option that is not supported is refused by name, and
   * there is no way past: {@link Options#unchecked} is for an opening.
   *
   * @param options the engine's names of options that can be changed, with their values
   */
  public void setOptions(Map<String, String> options) {
    LiveOptions.setOptions(source.family(), OptionText.copy(options));
  }
}
