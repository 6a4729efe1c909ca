/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * The database at one point in time, read in one column family. It retains overwritten and deleted rows, so close it
 * soon; the database closes it at the latest. Thread-safe.
 */
public final class Snapshot extends KeyReader implements AutoCloseable {

  Snapshot(KeyReader reader, NativeSnapshot snapshot) {
    super(reader.source.with(reader.readOptions.toNative(snapshot), snapshot), reader.readOptions, snapshot);
  }

  /**
   * Returns a reader of another column family at this snapshot.
   *
   * @param columnFamily of the same database
   * @return a reader that needs no closing, and is usable until the snapshot is closed
   * @throws IllegalArgumentException if the argument belongs to another database
   */
  public KeyReader of(ColumnFamily columnFamily) {
    ReadPath path = requireNonNull(columnFamily, "columnFamily").sourceOf(source.database(), "columnFamily");
    return new KeyReader(
        path.with(readOptions.toNative(snapshot), snapshot), requireNonNull(readOptions), snapshot);
  }

  /**
   * Returns a reader of typed keys at this snapshot.
   *
   * @param keys of the same database
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @return a reader that needs no closing, and is usable until the snapshot is closed
   * @throws IllegalArgumentException if the argument belongs to another database
   */
  public <K, V> TypedReader<K, V> of(TypedKeys<K, V> keys) {
    ReadPath path = requireNonNull(keys, "keys").keys().sourceOf(source.database(), "keys");
    return keys.of(new KeyReader(path.with(readOptions.toNative(snapshot), snapshot), readOptions, snapshot));
  }

  /**
   * Returns the sequence number of the last write that the snapshot includes.
   *
   * @return the sequence number
   */
  public long sequenceNumber() {
    return snapshot.sequenceNumber();
  }

  /** Releases the snapshot; idempotent. Waits for reads in progress; later reads throw. */
  @Override
  public void close() {
    snapshot.close();
  }

  @Override
  public String toString() {
    return "snapshot of " + super.toString();
  }
}
