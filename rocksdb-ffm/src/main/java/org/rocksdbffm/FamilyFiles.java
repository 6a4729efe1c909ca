/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.ingest.Ingestion;
import org.rocksdbffm.internal.ingest.LiveTables;
import org.rocksdbffm.internal.ingest.NativeExport;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.settings.IngestSetting;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.TableFiles;

/** The files of a column family. Thread-safe; usable while the family is open. */
public sealed class FamilyFiles permits DatabaseFiles {
  private final NativeFamily family;
  private final KeySpace keys;

  FamilyFiles(NativeFamily family, KeySpace keys) {
    this.family = family;
    this.keys = keys;
  }

  /**
   * Returns the current levels of the column family, with the table files of each, as one consistent state.
   *
   * @return the levels from 0 on, including empty ones
   */
  public List<Level> levels() {
    return Level.of(TableFiles.levels(family));
  }

  /**
   * Returns the current levels of the column family, with the table files that have keys in a range. May include a file
   * that starts with the range's exclusive end, and on level 0 further files that overlap with the others.
   *
   * @param range the keys
   * @return the levels from 0 on, including empty ones
   */
  public List<Level> levels(KeyRange range) {
    requireNonNull(range, "range");
    return Level.of(TableFiles.levels(family, range.lower(), range.upper()));
  }

  /**
   * Reads the properties of the current table files that have keys in a range, from the files. Retains the files during
   * the call.
   *
   * @param range the keys; {@link KeyRange#all} for all files
   * @return the properties of each file, by levels
   * @throws RocksDbException if a file is damaged, or the engine fails
   */
  public Map<LiveFile, TableReader.Properties> properties(KeyRange range) {
    requireNonNull(range, "range");
    Map<LiveFile, TableReader.Properties> properties = new LinkedHashMap<>();
    LiveTables.of(family, range.lower(), range.upper())
        .forEach((file, values) -> properties.put(new LiveFile(file), new TableReader.Properties(values)));
    return properties;
  }

  /**
   * Returns the approximate size of a range of keys in files and memtables.
   *
   * @param range the keys
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range) {
    return approximateSize(range, SizeOptions.defaults());
  }

  /**
   * Returns the approximate size of a range of keys in files and memtables. For an open end of the range, the first or
   * the last key is read.
   *
   * @param range the keys
   * @param options the parts of the database to include
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range, SizeOptions options) {
    KeyRange bounds = requireNonNull(range, "range").in(family.rules());
    requireNonNull(options, "options");
    byte[] from = bounds.lower();
    byte[] until = bounds.upper();
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
   * Compacts chosen table files into a level, on the calling thread.
   *
   * @param files files of this column family
   * @param level the target level; no file may be in a higher-numbered level
   * @return the new files
   * @throws RocksDbException if a file does not belong to the column family any more, or is being compacted
   * @throws IllegalStateException if the database is closed, or manual compactions are paused
   */
  public List<Path> compact(List<LiveFile> files, int level) {
    return compact(files, level, CompactionOptions.defaults());
  }

  /**
   * Compacts chosen table files into a level, on the calling thread. Files that must be compacted with them are
   * included: files on the levels between with overlapping keys, and older files on level 0.
   *
   * @param files files of this column family
   * @param level the target level; no file may be in a higher-numbered level
   * @param options options of the compaction
   * @return the new files
   * @throws RocksDbException with the code INVALID_ARGUMENT if a file does not belong to the column family any more,
   *     and ABORTED if one is being compacted already
   */
  public List<Path> compact(List<LiveFile> files, int level, CompactionOptions options) {
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
   * Makes the engine compact the files of a range in the background, without waiting for it.
   *
   * @param range the keys
   */
  public void suggestCompact(KeyRange range) {
    requireNonNull(range, "range");
    FileWork.suggestCompact(family, range.lower(), range.upper());
  }

  /**
   * Deletes files whose keys are all within a range, which frees their space immediately. This is no deletion of rows:
   * files of level 0, files that are being compacted, files that extend beyond the range, and memtables stay; and if a
   * row was overwritten, its older value may reappear from a file that stays, even for snapshots. So delete the rows
   * first ({@link KeySpace#deleteRange(KeyRange)}), and call this to free the space sooner.
   *
   * @param first the first key of the range
   * @param last the last key of the range, inclusive
   */
  public void deleteWithin(byte[] first, byte[] last) {
    FileWork.deleteFilesWithin(family, requireNonNull(first, "first"), requireNonNull(last, "last"));
  }

  /**
   * Atomically ingests a table file that a {@link TableWriter} has finished.
   *
   * @param file copied, and not changed
   * @throws RocksDbException if a file is refused, or the engine fails
   * @throws IllegalStateException if the database is closed, its background work is paused, or it has open transactions
   */
  public void ingest(Path file) {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    ingest(List.of(requireNonNull(file, "file")), IngestOptions.defaults());
  }

  /**
   * Atomically ingests table files that a {@link TableWriter} has finished. Their rows are not written to the WAL. If
   * several files contain a key, the last one wins. Their range deletions apply to the rows in the database and in the
   * preceding files.
   *
   * <p>Writes wait shortly, or longer if a memtable must be flushed. Ingestion takes no locks: so a database with
   * transactions refuses it while there are open transactions, and new ones wait until it is done.
   *
   * @param files from the oldest to the newest, each only once, and none of an open database
   * @param options options of the ingestion
   * @throws RocksDbException if a file is refused, or the engine fails
   * @throws IllegalStateException if the database is closed, its background work is paused, or it has open transactions
   */
  public void ingest(List<Path> files, IngestOptions options) {
    Ingestion.run(family, paths(files), requireNonNull(options, "options").settings);
  }

  static List<Path> paths(List<Path> files) {
    List<Path> named = new ArrayList<>();
    requireNonNull(files, "files").forEach(file -> named.add(requireNonNull(file, "files: a file is null")));
    return named;
  }

  /**
   * Exports the current state of the column family: links its table files into a folder, or copies them to another
   * disk. Memtables are flushed first. Values in blob files cannot be exported.
   *
   * @param folder must not exist, or be empty; during the call, a folder with its name and {@code .tmp} appended is in
   * use next to it
   * @return the export, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the folder is not empty, values are in blob files, or the engine fails
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public ExportedFamily export(Path folder) {
    return LeakWatch.owner(NativeExport.create(family, FolderPath.of(folder)), ExportedFamily::new);
  }

  /**
   * A level of a column family with its table files. Files of level 0 may overlap, and are listed with the newest
   * first; files of other levels are in key order, and do not overlap.
   *
   * @param number the number of the level, from 0
   * @param size the size of all its files
   * @param files the table files
   */
  public record Level(int number, ByteSize size, List<LiveFile> files) {
    /** Created by the library. */
    public Level {
      requireNonNull(size, "size");
      files = List.copyOf(requireNonNull(files, "files"));
    }

    static List<Level> of(List<List<FileWork.Live>> byLevel) {
      List<Level> levels = new ArrayList<>();
      for (List<FileWork.Live> files : byLevel) {
        long size = files.stream().mapToLong(FileWork.Live::size).sum();
        levels.add(new Level(levels.size(), ByteSize.bytes(size), files.stream().map(LiveFile::new).toList()));
      }
      return List.copyOf(levels);
    }
  }

  /** A table file of a database, at the time of the call; it may have been deleted since. */
  public static final class LiveFile {
    private final FileWork.Live live;

    LiveFile(FileWork.Live live) {
      this.live = live;
    }

    /**
     * Returns the name of the column family that the file belongs to.
     *
     * @return the family's name
     */
    public String columnFamily() {
      return live.family();
    }

    /**
     * Returns the path of the file.
     *
     * @return its path
     */
    public Path path() {
      return live.path();
    }

    /**
     * Returns the level of the file.
     *
     * @return the level, from 0
     */
    public int level() {
      return live.level();
    }

    /**
     * Returns the size of the file.
     *
     * @return its size
     */
    public ByteSize size() {
      return ByteSize.bytes(live.size());
    }

    /**
     * Returns its smallest key, in the order of the column family.
     *
     * @return a copy of the key
     */
    public byte[] smallestKey() {
      return live.first().array().clone();
    }

    /**
     * Returns its largest key, in the order of the column family.
     *
     * @return a copy of the key
     */
    public byte[] largestKey() {
      return live.last().array().clone();
    }

    /**
     * Returns the number of entries, including deletions.
     *
     * @return the count
     */
    public long entries() {
      return live.entries();
    }

    /**
     * Returns the number of deletions.
     *
     * @return the count
     */
    public long deletions() {
      return live.deletions();
    }

    /**
     * Returns the sequence number of its oldest write; 0 if a compaction to the last level has found it irrelevant.
     *
     * @return the sequence number
     */
    public long firstSequenceNumber() {
      return live.firstSequence();
    }

    /**
     * Returns the sequence number of its newest write.
     *
     * @return the sequence number
     */
    public long lastSequenceNumber() {
      return live.lastSequence();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof LiveFile that && live.equals(that.live);
    }

    @Override
    public int hashCode() {
      return live.hashCode();
    }

    @Override
    public String toString() {
      return path() + " of " + columnFamily() + ", level " + level() + ", " + size();
    }
  }

  /**
   * Options of {@link FamilyFiles#approximateSize(KeyRange, SizeOptions)}: the parts of a database to include.
   *
   * @param memtables whether to include memtables
   * @param tables whether to include table files
   * @param blobs whether to include blob files, in proportion to the tables
   * @param errorMargin the accepted error of the size of files, as a fraction, which makes the estimate cheaper; 0 to
   *     inspect each file
   */
  public record SizeOptions(boolean memtables, boolean tables, boolean blobs, double errorMargin) {
    private static final SizeOptions DEFAULTS = new SizeOptions(true, true, false, 0);

    /** Refuses an invalid margin, and options that include nothing. */
    public SizeOptions {
      if (!(errorMargin >= 0 && errorMargin <= 1)) {
        throw new IllegalArgumentException("errorMargin: " + errorMargin + ", but it must be a part, from 0 to 1");
      }
      if (!memtables && !tables && !blobs) {
        throw new IllegalArgumentException("memtables, tables and blobs: nothing would count; leave one of them true");
      }
    }

    /**
     * Includes memtables and table files, without a margin.
     *
     * @return the options
     */
    public static SizeOptions defaults() {
      return DEFAULTS;
    }

    /**
     * Sets whether memtables are included.
     *
     * @param count false to exclude them
     * @return the changed options
     */
    public SizeOptions memtables(boolean count) {
      return new SizeOptions(count, tables, blobs, errorMargin);
    }

    /**
     * Sets whether table files are included.
     *
     * @param count false to exclude them
     * @return the changed options
     */
    public SizeOptions tables(boolean count) {
      return new SizeOptions(memtables, count, blobs, errorMargin);
    }

    /**
     * Sets whether blob files are included, in proportion to the range's part of the tables.
     *
     * @param count true to include them
     * @return the changed options
     */
    public SizeOptions blobs(boolean count) {
      return new SizeOptions(memtables, tables, count, errorMargin);
    }

    /**
     * Sets the accepted error of the size of files.
     *
     * @param part a fraction from 0, which inspects each file, to 1
     * @return the changed options
     */
    public SizeOptions errorMargin(double part) {
      return new SizeOptions(memtables, tables, blobs, part);
    }
  }

  /**
   * Options of a compaction of chosen files.
   *
   * @param fileSize the maximum size of a new file; 0 for no limit
   * @param maxSubcompactions the number of threads that share the work; 0 for the database's setting
   * @param mayMove whether files that need no merge are moved to the level instead of rewritten
   */
  public record CompactionOptions(ByteSize fileSize, int maxSubcompactions, boolean mayMove) {
    private static final ByteSize LEAST_SIZE = ByteSize.kib(64);
    private static final CompactionOptions DEFAULTS = new CompactionOptions(ByteSize.bytes(0), 0, false);

    /** Refuses null and values out of range. */
    public CompactionOptions {
      if (requireNonNull(fileSize, "fileSize").bytes() != 0 && fileSize.compareTo(LEAST_SIZE) < 0) {
        throw new IllegalArgumentException("fileSize: " + fileSize + ", but the least is " + LEAST_SIZE + "; 0 is no limit");
      }
      OptionTable.checkNumber("compact", "maxSubcompactions", maxSubcompactions);
    }

    /**
     * Returns the engine's defaults: writes one file, with the database's number of threads.
     *
     * @return the options
     */
    public static CompactionOptions defaults() {
      return DEFAULTS;
    }

    /**
     * Sets the approximate maximum size of a new file.
     *
     * @param most at least 64 KiB; 0 for no limit
     * @return the changed options
     */
    public CompactionOptions fileSize(ByteSize most) {
      return new CompactionOptions(requireNonNull(most, "most"), maxSubcompactions, mayMove);
    }

    /**
     * Sets the number of threads that share the work.
     *
     * @param count at least 1
     * @return the changed options
     */
    public CompactionOptions maxSubcompactions(int count) {
      return new CompactionOptions(fileSize, count, mayMove);
    }

    /**
     * Sets whether files that need no merge are moved to the level instead of rewritten.
     *
     * @param move true to move them
     * @return the changed options
     */
    public CompactionOptions mayMove(boolean move) {
      return new CompactionOptions(fileSize, maxSubcompactions, move);
    }
  }

  /**
   * Options of an {@linkplain FamilyFiles#ingest ingestion} of table files. Immutable: each method returns changed
   * options.
   */
  public static final class IngestOptions extends Settings {
    private static final IngestOptions DEFAULTS = new IngestOptions(Map.of(IngestSetting.VERIFY_CHECKSUMS, 1L));

    final Map<IngestSetting, Long> settings;

    private IngestOptions(Map<IngestSetting, Long> settings) {
      super(settings);
      this.settings = settings;
    }

    /**
     * Returns the defaults: files are copied, checksums verified, and rows are newer than all rows in the database.
     *
     * @return the options
     */
    public static IngestOptions defaults() {
      return DEFAULTS;
    }

    private IngestOptions set(IngestSetting setting, boolean value) {
      return new IngestOptions(changed(settings, setting, value ? 1 : 0));
    }

    /**
     * Sets whether files are moved instead of copied: the database links each file, and deletes its original name when
     * all files are ingested. A file on another disk is copied.
     *
     * @param move true to move
     * @return the changed options
     */
    public IngestOptions move(boolean move) {
      return set(IngestSetting.MOVE, move);
    }

    /**
     * Sets whether the rows are older than all rows in the database, so that existing keys keep their values. This
     * needs a column family that has had {@code cf_allow_ingest_behind} since its creation: otherwise deleted rows may
     * reappear. The files must not overlap.
     *
     * @param behind true if the rows are older
     * @return the changed options
     */
    public IngestOptions behind(boolean behind) {
      return set(IngestSetting.BEHIND, behind);
    }

    /**
     * Sets whether to fail, with the code TRY_AGAIN, if a file cannot go to the last level because the database has
     * keys within its range. Files in the last level need no further compaction.
     *
     * @param fail true to fail
     * @return the changed options
     */
    public IngestOptions lastLevelOnly(boolean fail) {
      return set(IngestSetting.LAST_LEVEL_ONLY, fail);
    }

    /**
     * Sets whether existing snapshots must not see the rows. Otherwise they may.
     *
     * @param keep false to let snapshots see the rows
     * @return the changed options
     */
    public IngestOptions snapshotConsistency(boolean keep) {
      return set(IngestSetting.SNAPSHOT_CONSISTENCY, keep);
    }

    /**
     * Sets whether the rows may get a sequence number of the database. That is needed if the database has keys within
     * the range of a file, if files overlap, and for snapshot consistency; otherwise such an ingestion fails.
     *
     * @param allow false to fail
     * @return the changed options
     */
    public IngestOptions globalSequenceNumbers(boolean allow) {
      return set(IngestSetting.GLOBAL_SEQUENCE_NUMBERS, allow);
    }

    /**
     * Sets whether memtables with keys within the range of a file are flushed first, while writes wait. Otherwise such
     * an ingestion fails.
     *
     * @param allow false to fail
     * @return the changed options
     */
    public IngestOptions blockingFlush(boolean allow) {
      return set(IngestSetting.BLOCKING_FLUSH, allow);
    }

    /**
     * Sets whether all blocks of a file are verified by their checksums before the ingestion. Otherwise damage is found
     * when the rows are read.
     *
     * @param verify false to skip the verification
     * @return the changed options
     */
    public IngestOptions verifyChecksums(boolean verify) {
      return set(IngestSetting.VERIFY_CHECKSUMS, verify);
    }

    /**
     * Sets whether blocks that are read by the ingestion are added to the block cache.
     *
     * @param fill false to leave the cache unchanged
     * @return the changed options
     */
    public IngestOptions fillCache(boolean fill) {
      return set(IngestSetting.FILL_CACHE, fill);
    }
  }

  /**
   * The table files of an {@linkplain FamilyFiles#export exported} column family, for
   * {@linkplain RocksDb#importFamily import} by databases of the same process, or, after {@link #save}, of another
   * process that opens the folder. Its owner closes it. Thread-safe.
   *
   * <p>Closing releases the description; the folder stays, with the files that were not moved.
   */
  public static final class ExportedFamily extends Resource {
    /** How an import transfers the exported files. */
    public enum Transfer {
      /** The database gets copies, and the export can be imported again. */
      COPY,
      /** The database gets the files themselves if it is on the same disk; later imports of the export fail. */
      MOVE
    }

    private final NativeExport export;

    ExportedFamily(NativeExport export) {
      super(export);
      this.export = export;
    }

    /**
     * Opens an export that was {@linkplain #save saved}, in this process or in another one. The folder may have been
     * copied to another machine. Files of encrypted databases are opened within {@link EncryptionKeys#use}.
     *
     * @param folder the folder of the files
     * @return the export, which the caller <em>owns</em> and must close
     * @throws RocksDbException if the folder has no description, or it is damaged or cannot be read with the keys
     */
    public static ExportedFamily open(Path folder) {
      return LeakWatch.owner(NativeExport.open(FolderPath.of(folder)), ExportedFamily::new);
    }

    /**
     * Saves the description of the files in the folder, as the file {@code EXPORT}, encrypted like the files: their
     * levels, and the bounds of their range deletions, which the files themselves lack. An import does not delete it.
     * Not available on macOS, where the C++ stubs are missing.
     *
     * @throws RocksDbException if the file cannot be written
     */
    public void save() {
      export.save();
    }

    NativeExport export() {
      return export;
    }

    /**
     * Returns the folder of the files.
     *
     * @return an absolute path
     */
    public Path folder() {
      return export.folder();
    }
  }

  @Override
  public String toString() {
    return "files of " + family.handle();
  }
}
