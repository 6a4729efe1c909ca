/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.ingest.NativeTable;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.NativeOptions;

/**
 * Writes a table file outside of any database, for {@link FamilyFiles#ingest ingestion}: sorted rows are written
 * directly in the final format, without WAL and memtables. Its owner closes it. Used by one thread at a time; any
 * thread may close it.
 *
 * <pre>{@code
 * try (TableWriter table = TableWriter.create(Path.of("/data/load/1.sst"), options)) {
 *   for (Order order : ordersByKey) {
 *     table.put(order.key(), order.value());
 *   }
 *   TableFile file = table.finish();
 *   db.ingest(file.path());
 * }
 * }</pre>
 *
 * <p>Each key is added once, after the previous key in the order of the options: other keys are refused with
 * {@link IllegalArgumentException}, and the file is not changed. Ranges can be deleted in any order; a range deletion
 * applies to rows that are in the database before the ingestion, but not to rows of the same file. Single deletions are
 * not supported. An unfinished file is deleted when the writer is closed.
 *
 * <p>Closing ends the writer, and deletes the file unless it is finished.
 */
public final class TableWriter extends Resource implements KeyWriter {
  private final NativeTable table;

  private TableWriter(NativeTable table) {
    super(table);
    this.table = table;
  }

  /**
   * Creates a table file.
   *
   * @param file must not exist, in a folder without a database; preferably on the disk of the target database
   * @param options the options of the target column family: at least its comparator, and its merge operator for
   *     operands
   * @return the writer, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the file exists, or its folder does not, or contains a database
   */
  public static TableWriter create(Path file, FamilyOptions options) {
    FolderPath path = FolderPath.of("file", file);
    NativeOptions nativeOptions =
        requireNonNull(options, "options").toNative(DatabaseKind.PLAIN, DatabaseOptions.defaults());
    return LeakWatch.owner(NativeTable.create(path, nativeOptions), TableWriter::new);
  }

  /**
   * Finishes the file, and syncs it. Nothing can be added afterwards, and the file stays when the writer is closed.
   *
   * @return the file, which the caller <em>owns</em>
   * @throws IllegalStateException if the file has no entries, or is closed
   */
  public TableFile finish() {
    TableFile file = new TableFile(table.finish());
    watch.end();
    return file;
  }

  /**
   * Returns the approximate size of the file so far, without the block that is being built.
   *
   * @return the size
   */
  public ByteSize size() {
    return ByteSize.bytes(table.size());
  }

  @Override
  public void put(byte[] key, byte[] value) {
    table.put(MemorySegment.ofArray(requireNonNull(key, "key")), MemorySegment.ofArray(requireNonNull(value, "value")));
  }

  @Override
  public void put(MemorySegment key, MemorySegment value) {
    table.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
  }

  /** Not supported: put entities with a batch. */
  @Override
  public void putEntity(byte[] key, Columns columns) {
    throw noEntities(key, columns);
  }

  /** Not supported: put entities with a batch. */
  @Override
  public void putEntity(MemorySegment key, Columns columns) {
    throw noEntities(key, columns);
  }

  private static UnsupportedOperationException noEntities(Object key, Object columns) {
    requireNonNull(key, "key");
    requireNonNull(columns, "columns");
    return new UnsupportedOperationException(
        "putEntity: the engine's C API writes no entities to table files; use a WriteBatch");
  }

  @Override
  public void merge(byte[] key, byte[] operand) {
    table.merge(
        MemorySegment.ofArray(requireNonNull(key, "key")), MemorySegment.ofArray(requireNonNull(operand, "operand")));
  }

  @Override
  public void merge(MemorySegment key, MemorySegment operand) {
    table.merge(requireNonNull(key, "key"), requireNonNull(operand, "operand"));
  }

  @Override
  public void delete(byte[] key) {
    table.delete(MemorySegment.ofArray(requireNonNull(key, "key")));
  }

  @Override
  public void delete(MemorySegment key) {
    table.delete(requireNonNull(key, "key"));
  }

  /** Not supported: RocksDB does not support single deletions in table files. */
  @Override
  public void singleDelete(byte[] key) {
    throw noSingleDeletes(key);
  }

  /** Not supported: RocksDB does not support single deletions in table files. */
  @Override
  public void singleDelete(MemorySegment key) {
    throw noSingleDeletes(key);
  }

  @Override
  public void deleteRange(KeyRange range) {
    KeyRange keys = requireNonNull(range, "range").in(table.rules());
    if (keys.isEndIncluded()) {
      throw new IllegalArgumentException(
          "range: " + range + " has its end, and keys of the file are not ordered as bytes; delete the keys up to it, and it"
              + " where its turn comes");
    }
    KeyWriter.super.deleteRange(keys);
  }

  @Override
  public void deleteRange(byte[] from, byte[] until) {
    table.deleteRange(
        MemorySegment.ofArray(requireNonNull(from, "from")), MemorySegment.ofArray(requireNonNull(until, "until")));
  }

  @Override
  public void deleteRange(MemorySegment from, MemorySegment until) {
    table.deleteRange(requireNonNull(from, "from"), requireNonNull(until, "until"));
  }

  private static UnsupportedOperationException noSingleDeletes(Object key) {
    requireNonNull(key, "key");
    return new UnsupportedOperationException("singleDelete: the engine has none in table files; delete the key");
  }

  /** A table file that a {@link TableWriter} has finished. Immutable; usable after the file was moved or deleted. */
  public static final class TableFile {
    private final NativeTable.Finished finished;

    private TableFile(NativeTable.Finished finished) {
      this.finished = finished;
    }

    /**
     * Returns the path at which the file was written.
     *
     * @return an absolute path
     */
    public Path path() {
      return finished.path();
    }

    /**
     * Returns the size of the file.
     *
     * @return its size
     */
    public ByteSize size() {
      return ByteSize.bytes(finished.size());
    }

    /**
     * Returns the number of puts, merges and deletions.
     *
     * @return the count, without range deletions
     */
    public long entries() {
      return finished.entries();
    }

    /**
     * Returns the number of range deletions.
     *
     * @return the count
     */
    public long rangeDeletions() {
      return finished.rangeDeletions();
    }

    /**
     * Returns the smallest key, in the order of the options, or the smallest start of a range deletion.
     *
     * @return a copy of the key
     */
    public byte[] smallestKey() {
      return finished.smallest().array().clone();
    }

    /**
     * Returns the largest key, in the order of the options, or the largest end of a range deletion, which is exclusive.
     *
     * @return a copy of the key
     */
    public byte[] largestKey() {
      return finished.largest().array().clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof TableFile that && finished.equals(that.finished);
    }

    @Override
    public int hashCode() {
      return finished.hashCode();
    }

    @Override
    public String toString() {
      return path() + ", " + size() + ", " + entries() + " entries, " + rangeDeletions() + " deletions of ranges";
    }
  }
}
