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
 * Writes a table file of no database yet, for {@link FamilyFiles#ingest ingestion}: rows that come in order go straight to a
 * file in its final form, past log and memtables. Its owner closes it. One thread at a time; any thread closes.
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
 * <p>Each key is added once, behind the one before it in the order of the options: another one is refused with
 * {@link IllegalArgumentException}, and the file stays as it was. Ranges are deleted in any order; that takes away
 * what the database has by the time of the ingestion, and not what the same file puts. There are no single deletions in
 * such a file. A file that is not finished is deleted when the writer is closed.
 *
 * <p>A close ends the writer, and deletes the file unless it was finished.
 */
public final class TableWriter extends Resource implements KeyWriter {
  private final NativeTable table;

  private TableWriter(NativeTable table) {
    super(table);
    this.table = table;
  }

  /**
   * Begins a table file.
   *
   * @param file that is not there yet, in a folder of no database; best on the disk of the database that it is for
   * @param options those of the column family that it is for: its order at least, and its merge operator for operands
   * @return the writer, which the caller <em>owns</em> and must close
   */
  public static TableWriter create(Path file, FamilyOptions options) {
    FolderPath path = FolderPath.of("file", file);
    NativeOptions its = requireNonNull(options, "options").toNative(DatabaseKind.PLAIN, DatabaseOptions.defaults());
    return LeakWatch.owner(NativeTable.create(path, its), TableWriter::new);
  }

  /**
   * Completes the file, and waits until the disk has it. Nothing can be added afterwards, and it stays when this is
   * closed.
   *
   * @return the file, which the caller <em>owns</em>
   */
  public TableFile finish() {
    TableFile file = new TableFile(table.finish());
    watch.end();
    return file;
  }

  /**
   * About how large the file is so far, without what is collected for its next block.
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

  /** Not supported: a table file has no single deletions. */
  @Override
  public void singleDelete(byte[] key) {
    throw noSingleDeletes(key);
  }

  /** Not supported: a table file has no single deletions. */
  @Override
  public void singleDelete(MemorySegment key) {
    throw noSingleDeletes(key);
  }

  @Override
  public void deleteRange(KeyRange range) {
    KeyRange its = requireNonNull(range, "range").in(table.rules());
    if (its.isEndIncluded()) {
      throw new IllegalArgumentException(
          "range: " + range + " has its end, and keys of the file are not ordered as bytes; delete the keys up to it, and it"
              + " where its turn comes");
    }
    KeyWriter.super.deleteRange(its);
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

  /** A table file that a {@link TableWriter} has finished: a value, which stays as it is when the file is gone. */
  public static final class TableFile {
    private final NativeTable.Finished finished;

    private TableFile(NativeTable.Finished finished) {
      this.finished = finished;
    }

    /**
     * Where it was written.
     *
     * @return an absolute path
     */
    public Path path() {
      return finished.path();
    }

    /**
     * How large it is.
     *
     * @return its size
     */
    public ByteSize size() {
      return ByteSize.bytes(finished.size());
    }

    /**
     * How many keys were put, merged and deleted.
     *
     * @return the count, without the deletions of ranges
     */
    public long entries() {
      return finished.entries();
    }

    /**
     * How many ranges it deletes.
     *
     * @return the count
     */
    public long rangeDeletions() {
      return finished.rangeDeletions();
    }

    /**
     * The first of its keys in the order of the options, or the first of a range that it deletes.
     *
     * @return a copy of the key
     */
    public byte[] smallestKey() {
      return finished.smallest().array().clone();
    }

    /**
     * The last of its keys in the order of the options, or the end of a range that it deletes, which is no part of that.
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
