/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.read.NativeReadOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/**
 * A column family: a key space of its own within a database, which <em>owns</em> it. Thread-safe.
 *
 * <p>It need not be closed: the database does that. Closing earlier is for a family that was dropped, whose
 * files are deleted then.
 */
public final class ColumnFamily extends KeySpace implements AutoCloseable {
  private final NativeFamily family;

  ColumnFamily(NativeFamily family, NativeReadOptions readOptions, NativeWriteOptions writeOptions) {
    super(ReadPath.of(family, readOptions, null), ReadOptions.defaults(), writeOptions);
    this.family = family;
  }

  /**
   * The family's name.
   *
   * @return the name that it was created with
   */
  public String name() {
    return family.name();
  }

  /**
   * The family's number within its database, by which batches name it.
   *
   * @return the number; 0 for the default family
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
   * Lets go of the family ahead of its database; idempotent. Calls in progress are waited for. The default
   * family stays until its database is closed.
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
