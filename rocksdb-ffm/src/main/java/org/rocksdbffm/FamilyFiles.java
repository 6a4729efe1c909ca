/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.ingest.Ingestion;
import org.rocksdbffm.internal.ingest.NativeExport;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.settings.IngestSetting;
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
  public List<Level> levels() {
    return Level.of(TableFiles.levels(family));
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
    return Level.of(TableFiles.levels(family, range.lower(), range.upper()));
  }

  /**
   * About how much of the files and memtables a range of keys takes.
   *
   * @param range which keys
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range) {
    return approximateSize(range, SizeOptions.defaults());
  }

  /**
   * About how much of the files and memtables a range of keys takes. Where an end of the range is open, the first or the last
   * key is read.
   *
   * @param range which keys
   * @param options which parts of the database count
   * @return the size, compressed as in the files; 0 if the range is empty
   */
  public ByteSize approximateSize(KeyRange range, SizeOptions options) {
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
    return compact(files, level, CompactionOptions.defaults());
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
    Ingestion.run(family, named, requireNonNull(options, "options").settings);
  }

  /**
   * Exports the column family as it is now: its table files are linked into a folder, or copied to another disk. The
   * memtables are written to files first. Values in blob files cannot be exported.
   *
   * @param folder does not exist, or is empty; beside it, a folder of its name with {@code .tmp} behind is in use
   *     meanwhile
   * @return the export, which the caller <em>owns</em> and must close, and which databases of this process import
   */
  public ExportedFamily export(Path folder) {
    return LeakWatch.owner(NativeExport.create(family, FolderPath.of(folder)), ExportedFamily::new);
  }

  /**
   * A level of a column family, with the table files on it. Those of level 0 may have the same keys, the newest first; those
   * of another level are in the order of their keys, and have none in common.
   *
   * @param number of the level, from 0
   * @param size of all its files
   * @param files the table files
   */
  public record Level(int number, ByteSize size, List<LiveFile> files) {
    /** Made by the library alone. */
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

  /** A table file of a database, as it was when it was asked for; it may be gone since. */
  public static final class LiveFile {
    private final FileWork.Live live;

    LiveFile(FileWork.Live live) {
      this.live = live;
    }

    /**
     * The column family that it is of.
     *
     * @return the family's name
     */
    public String columnFamily() {
      return live.family();
    }

    /**
     * Where it is.
     *
     * @return its path
     */
    public Path path() {
      return live.path();
    }

    /**
     * The level that it is on.
     *
     * @return the level, from 0
     */
    public int level() {
      return live.level();
    }

    /**
     * How large it is.
     *
     * @return its size
     */
    public ByteSize size() {
      return ByteSize.bytes(live.size());
    }

    /**
     * The first of its keys, in the order of the family.
     *
     * @return a copy of the key
     */
    public byte[] smallestKey() {
      return live.first().array().clone();
    }

    /**
     * The last of its keys, in the order of the family.
     *
     * @return a copy of the key
     */
    public byte[] largestKey() {
      return live.last().array().clone();
    }

    /**
     * How many entries it has, deletions included.
     *
     * @return the count
     */
    public long entries() {
      return live.entries();
    }

    /**
     * How many of its entries are deletions.
     *
     * @return the count
     */
    public long deletions() {
      return live.deletions();
    }

    /**
     * The number of the oldest write in it; 0 once it does not matter any more, which a compaction to the last level finds.
     *
     * @return the sequence number
     */
    public long firstSequenceNumber() {
      return live.firstSequence();
    }

    /**
     * The number of the newest write in it.
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
   * Options of {@link FamilyFiles#approximateSize(KeyRange, SizeOptions)}: which parts of a database count.
   *
   * @param memtables whether rows that are in no file yet count
   * @param tables whether table files count
   * @param blobs whether blob files count, by their share of the tables
   * @param errorMargin how far the size of the files may be off, as a part of it, which makes the answer cheaper; 0 to
   *     look into each file
   */
  public record SizeOptions(boolean memtables, boolean tables, boolean blobs, double errorMargin) {
    private static final SizeOptions DEFAULTS = new SizeOptions(true, true, false, 0);

    /** Refuses a margin that is none, and options by which nothing counts. */
    public SizeOptions {
      if (!(errorMargin >= 0 && errorMargin <= 1)) {
        throw new IllegalArgumentException("errorMargin: " + errorMargin + ", but it must be a part, from 0 to 1");
      }
      if (!memtables && !tables && !blobs) {
        throw new IllegalArgumentException("memtables, tables and blobs: nothing would count; leave one of them true");
      }
    }

    /**
     * Memtables and table files count, without a margin.
     *
     * @return the options
     */
    public static SizeOptions defaults() {
      return DEFAULTS;
    }

    /**
     * Whether rows that are in no file yet count.
     *
     * @param count false to leave them out
     * @return the changed options
     */
    public SizeOptions memtables(boolean count) {
      return new SizeOptions(count, tables, blobs, errorMargin);
    }

    /**
     * Whether table files count.
     *
     * @param count false to leave them out
     * @return the changed options
     */
    public SizeOptions tables(boolean count) {
      return new SizeOptions(memtables, count, blobs, errorMargin);
    }

    /**
     * Whether blob files count. Their part is that which the range has of the tables.
     *
     * @param count true to count them too
     * @return the changed options
     */
    public SizeOptions blobs(boolean count) {
      return new SizeOptions(memtables, tables, count, errorMargin);
    }

    /**
     * How far the size of the files may be off.
     *
     * @param part from 0, to look into each file, to 1
     * @return the changed options
     */
    public SizeOptions errorMargin(double part) {
      return new SizeOptions(memtables, tables, blobs, part);
    }
  }

  /**
   * Options of a compaction of chosen files.
   *
   * @param fileSize how large a new file becomes at most; 0 for no limit
   * @param maxSubcompactions how many threads share the work; 0 for the database's own setting
   * @param mayMove whether files that need not be merged with others are moved to the level as they are
   */
  public record CompactionOptions(ByteSize fileSize, int maxSubcompactions, boolean mayMove) {
    private static final ByteSize LEAST_SIZE = ByteSize.kib(64);
    private static final CompactionOptions DEFAULTS = new CompactionOptions(ByteSize.bytes(0), 0, false);

    /** Checks that nothing is null or out of range. */
    public CompactionOptions {
      if (requireNonNull(fileSize, "fileSize").bytes() != 0 && fileSize.compareTo(LEAST_SIZE) < 0) {
        throw new IllegalArgumentException("fileSize: " + fileSize + ", but the least is " + LEAST_SIZE + "; 0 is no limit");
      }
      OptionTable.checkNumber("compact", "maxSubcompactions", maxSubcompactions);
    }

    /**
     * The engine's defaults: one file is written, by as many threads as the database is set to.
     *
     * @return the options
     */
    public static CompactionOptions defaults() {
      return DEFAULTS;
    }

    /**
     * How large a new file becomes at most, about.
     *
     * @param most from 64 KiB; 0 for no limit
     * @return the changed options
     */
    public CompactionOptions fileSize(ByteSize most) {
      return new CompactionOptions(requireNonNull(most, "most"), maxSubcompactions, mayMove);
    }

    /**
     * How many threads share the work.
     *
     * @param count at least 1
     * @return the changed options
     */
    public CompactionOptions maxSubcompactions(int count) {
      return new CompactionOptions(fileSize, count, mayMove);
    }

    /**
     * Whether files that need not be merged with others are moved to the level as they are, and not written anew.
     *
     * @param move true to move them
     * @return the changed options
     */
    public CompactionOptions mayMove(boolean move) {
      return new CompactionOptions(fileSize, maxSubcompactions, move);
    }
  }

  /** Options of an {@linkplain FamilyFiles#ingest ingestion} of table files. Immutable: each method returns options of its own. */
  public static final class IngestOptions extends Settings {
    private static final IngestOptions DEFAULTS = new IngestOptions(Map.of(IngestSetting.VERIFY_CHECKSUMS, 1L));

    final Map<IngestSetting, Long> settings;

    private IngestOptions(Map<IngestSetting, Long> settings) {
      super(settings);
      this.settings = settings;
    }

    /**
     * Files are copied, their checksums verified, and their rows are newer than all that the database has.
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
     * Whether files are moved, and not copied: each becomes the database's by a link, and loses its own name when all of them
     * are ingested. One that is on another disk is copied.
     *
     * @param move whether to
     * @return the changed options
     */
    public IngestOptions move(boolean move) {
      return set(IngestSetting.MOVE, move);
    }

    /**
     * Whether the rows are older than all that the database has, so that a key that is there keeps its value. For that a
     * column family has been opened with {@code cf_allow_ingest_behind} since it was created: otherwise rows that were
     * deleted may come to light again. The files must not overlap.
     *
     * @param behind whether they are
     * @return the changed options
     */
    public IngestOptions behind(boolean behind) {
      return set(IngestSetting.BEHIND, behind);
    }

    /**
     * Whether to fail, with the code TRY_AGAIN, where a file cannot go to the last level because the database has keys
     * within its range. Files of the last level need no compaction any more.
     *
     * @param fail whether to
     * @return the changed options
     */
    public IngestOptions lastLevelOnly(boolean fail) {
      return set(IngestSetting.LAST_LEVEL_ONLY, fail);
    }

    /**
     * Whether snapshots that are there do not see the rows. Without it they may.
     *
     * @param keep false to let them see the rows
     * @return the changed options
     */
    public IngestOptions snapshotConsistency(boolean keep) {
      return set(IngestSetting.SNAPSHOT_CONSISTENCY, keep);
    }

    /**
     * Whether the rows may get a number of the database's, as they must where it has keys within the range of a file, where
     * files overlap, and where snapshots are to be consistent. Without it such an ingestion fails.
     *
     * @param allow false to fail
     * @return the changed options
     */
    public IngestOptions globalSequenceNumbers(boolean allow) {
      return set(IngestSetting.GLOBAL_SEQUENCE_NUMBERS, allow);
    }

    /**
     * Whether memtables that have keys within the range of a file are flushed first, while writes wait. Without it such an
     * ingestion fails.
     *
     * @param allow false to fail
     * @return the changed options
     */
    public IngestOptions blockingFlush(boolean allow) {
      return set(IngestSetting.BLOCKING_FLUSH, allow);
    }

    /**
     * Whether each block of a file is read and compared with its checksum before the file is ingested. Damage would
     * otherwise be found when the rows are read.
     *
     * @param verify false to leave it
     * @return the changed options
     */
    public IngestOptions verifyChecksums(boolean verify) {
      return set(IngestSetting.VERIFY_CHECKSUMS, verify);
    }

    /**
     * Whether blocks that are read meanwhile stay in the block cache.
     *
     * @param fill false to keep the cache as it is
     * @return the changed options
     */
    public IngestOptions fillCache(boolean fill) {
      return set(IngestSetting.FILL_CACHE, fill);
    }
  }

  /**
   * The table files of a column family that was {@linkplain FamilyFiles#export exported}, to be
   * {@linkplain RocksDb#importFamily imported} by databases of the same process: the engine's description of the files
   * is in memory alone. Its owner closes it. Thread-safe.
   *
   * <p>A close gives up the description; the folder stays, with the files that were not moved.
   */
  public static final class ExportedFamily extends Resource {
    /** How an import takes the exported files. */
    public enum Transfer {
      /** The database gets copies, and the export can be imported again. */
      COPY,
      /** The database gets the files themselves, where it is on the same disk; another import of the export fails. */
      MOVE
    }

    private final NativeExport export;

    ExportedFamily(NativeExport export) {
      super(export);
      this.export = export;
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
  }
}
