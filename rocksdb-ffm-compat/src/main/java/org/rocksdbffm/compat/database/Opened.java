/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.function.LongConsumer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.callback.Thrown;
import org.rocksdbffm.compat.membership.Membership;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * Opens a database as pointers: the database's, followed by its families'. Their Java objects are created later, so a
 * failure before that must close the database: otherwise the engine would hold its lock until the process ends.
 */
public final class Opened {
  private Opened() {}

  public interface Opening<T> {
    T open() throws RocksDBException;
  }

  /** Opens a database, and closes it again if a callback threw during the opening. */
  public static long alone(Opening<Long> opening, LongConsumer dispose) throws RocksDBException {
    return withFamilies(() -> new long[] {opening.open()}, dispose)[0];
  }

  public static long[] withFamilies(Opening<long[]> opening, LongConsumer dispose) throws RocksDBException {
    long began = FlightRecords.begin();
    // Also checks the stack that creating the Java objects needs: a StackOverflowError there would leave the database
    // locked.
    StackRoom.requireForReentrance();
    long[] pointers;
    try {
      pointers = opening.open();
    } catch (Throwable e) {
      IllegalStateException thrown = Thrown.take();
      if (thrown != null) {
        e.addSuppressed(thrown);
      }
      throw e;
    }
    IllegalStateException thrown = Thrown.take();
    if (thrown != null) {
      close(pointers, dispose);
      throw thrown;
    }
    if (began != 0) {
      FlightRecords.opened(Membership.path(pointers[0]), began);
    }
    return pointers;
  }

  private static void close(long[] pointers, LongConsumer dispose) {
    for (int i = pointers.length - 1; i > 0; i--) {
      Families.dispose(pointers[i]);
    }
    dispose.accept(pointers[0]);
  }
}
