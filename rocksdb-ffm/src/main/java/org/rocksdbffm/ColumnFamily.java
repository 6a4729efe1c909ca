/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/**
 * A column family: a separate key space in a database, which <em>owns</em> it. Thread-safe.
 *
 * <p>It need not be closed: the database closes it. Close a dropped family earlier to delete its files.
 */
public final class ColumnFamily extends KeySpace implements AutoCloseable {
  private final NativeFamily family;

  ColumnFamily(NativeFamily family, NativeReadOptions readOptions, NativeWriteOptions writeOptions) {
    super(ReadPath.of(family, readOptions, null), ReadOptions.defaults(), writeOptions);
    this.family = family;
  }

  /**
   * Returns the name of the column family.
   *
   * @return the name that it was created with
   */
  public String name() {
    return family.name();
  }

  /**
   * Returns the id of the column family, which batches use instead of the name.
   *
   * @return the id; 0 for the default family
   */
  public int id() {
    return family.id();
  }

  Database database() {
    return family.database();
  }

  NativeFamily nativeFamily() {
    return family;
  }

  /**
   * Closes the column family before its database; idempotent. Waits for calls in progress. The default family stays
   * open until its database is closed.
   */
  @Override
  public void close() {
    family.close();
  }

  @Override
  public String toString() {
    return family.handle().name();
  }
}
