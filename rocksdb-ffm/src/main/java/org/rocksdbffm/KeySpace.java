/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.concurrent.Executor;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.upkeep.Compactions;
import org.rocksdbffm.internal.upkeep.Flushes;
import org.rocksdbffm.internal.upkeep.LiveOptions;
import org.rocksdbffm.internal.write.BatchBytes;
import org.rocksdbffm.internal.write.DatabaseWrites;
import org.rocksdbffm.internal.write.NativeWriteOptions;
import org.rocksdbffm.internal.write.Operation;

/**
 * Reads and writes the keys of one column family, with fixed options. A database is the key space of its default column
 * family; a {@link ColumnFamily} is one too; and {@code with} returns others, which need no closing. Thread-safe.
 */
public sealed class KeySpace extends WritableKeys permits RocksDb, ColumnFamily {
  private final DatabaseWrites writes;

  KeySpace(ReadPath source, ReadOptions readOptions, NativeWriteOptions writeOptions) {
    this(source, readOptions, new DatabaseWrites(source.family(), writeOptions));
  }

  private KeySpace(ReadPath source, ReadOptions readOptions, DatabaseWrites writes) {
    super(source, readOptions, writes);
    this.writes = writes;
  }

  @Override
  public KeySpace with(ReadOptions options) {
    return new KeySpace(sourceWith(requireNonNull(options, "options")), options, writes);
  }

  /**
   * Returns a key space with other write options.
   *
   * @param options replace all of this key space's write options
   * @return a key space that needs no closing
   */
  public KeySpace with(WriteOptions options) {
    return new KeySpace(source, readOptions, writes.with(requireNonNull(options, "options").toNative()));
  }

  /**
   * Takes a snapshot of the whole database; its reader reads this key space.
   *
   * @return the snapshot, which the caller <em>owns</em> and must close
   * @throws IllegalStateException if the database is closed
   */
  public Snapshot snapshot() {
    return new Snapshot(this, NativeSnapshot.take(source.database()));
  }

  /**
   * Writes a batch atomically. The batch is unchanged.
   *
   * @param batch borrowed
   * @throws IllegalArgumentException if the batch uses column families of another database
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database or the column family is closed
   */
  public void write(WriteBatch batch) {
    requireNonNull(batch, "batch").writeTo(writes, source.database());
  }

  /**
   * Returns a writer that writes on other threads, many callers' changes together.
   *
   * @param executor runs one write of the writer at a time
   * @param limit the maximum number of pending changes
   * @return a writer that needs no closing
   * @throws IllegalArgumentException if the limit is less than one
   */
  public AsyncWriter asyncWriter(Executor executor, int limit) {
    return new AsyncWriter(source.family(), writes, executor, limit);
  }

  @Override
  public void deleteRange(KeyRange range) {
    KeyRange keys = requireNonNull(range, "range").in(source.family().rules());
    if (!keys.isEndIncluded()) {
      super.deleteRange(keys);
      return;
    }
    keys.requireDeletable();
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    BatchBytes both = new BatchBytes(0);
    both.append(Operation.DELETE_RANGE, source.family().id(), keys.lower(), keys.upper());
    both.append(Operation.DELETE, source.family().id(), keys.upper());
    writes.write(both);
  }

  /**
   * Flushes the memtables, and waits for it.
   *
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void flush() {
    flush(FlushOptions.defaults());
  }

  /**
   * Flushes the memtables.
   *
   * @param options options of the flush
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void flush(FlushOptions options) {
    requireNonNull(options, "options");
    Flushes.flush(source.family(), options.waitForFlush(), options.allowWriteStall());
  }

  /**
   * Compacts the files of a range of keys, and waits for it.
   *
   * @param range the keys
   * @throws RocksDbException if background work failed during the compaction
   * @throws IllegalStateException if the database is closed, or its background work is paused
   */
  public void compact(KeyRange range) {
    compact(range, CompactOptions.defaults());
  }

  /**
   * Compacts the files of a range of keys, and waits for it.
   *
   * @param range the keys
   * @param options options of the compaction
   * @throws RocksDbException if background work failed during the compaction
   * @throws IllegalStateException if the database is closed, or its background work is paused
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
   * Changes options of the open column family. Options that are not supported are refused;
   * {@link DatabaseOptions#unchecked} applies only to an opening.
   *
   * @param options new values by the engine's names of options that can be changed
   * @throws IllegalArgumentException if an option is unknown, or cannot be changed to this value
   * @throws RocksDbException if the engine fails, or the database is read-only (NOT_SUPPORTED)
   * @throws IllegalStateException if the database or the column family is closed
   */
  public void setOptions(Map<String, String> options) {
    LiveOptions.setOptions(source.family(), OptionText.copy(options));
  }

  /** {@return the files of the column family: its levels, ingestion and export, and compactions of chosen files} */
  public FamilyFiles files() {
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    return new FamilyFiles(source.family(), this);
  }

  /** {@return metrics of the column family: its sizes, its caches, and the engine's properties} */
  public FamilyMetrics metrics() {
    StackRoom.require(); // a class whose initialization overflows the stack stays unusable
    return new FamilyMetrics(source.family());
  }
}
