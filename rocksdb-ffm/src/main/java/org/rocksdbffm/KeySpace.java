/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.upkeep.Compactions;
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
   * Changes options of the column family while it is open. An option that is not supported is refused by name, and
   * there is no way past: {@link DatabaseOptions#unchecked} is for an opening.
   *
   * @param options the engine's names of options that can be changed, with their values
   */
  public void setOptions(Map<String, String> options) {
    LiveOptions.setOptions(source.family(), OptionText.copy(options));
  }

  /** {@return the files of the column family: its levels, what is ingested and exported, and compactions of chosen files} */
  public FamilyFiles files() {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    return new FamilyFiles(source.family(), this);
  }

  /** {@return figures of the column family: its sizes, its caches, and the engine's properties} */
  public FamilyMetrics metrics() {
    StackRoom.require(); // a class that is initialized at the end of a stack stays unusable
    return new FamilyMetrics(source.family());
  }
}
