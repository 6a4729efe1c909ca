/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.function.LongConsumer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.lifetime.Membership;
import org.rocksdbffm.compat.lifetime.Thrown;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * A database that is being opened, as pointers: its own, and those of its families behind it. The Java objects that own
 * them are made later, so whatever goes wrong until then has to close what the engine has opened: its lock would stay for
 * as long as the process.
 */
public final class Opened {
  private Opened() {}

  public interface Opening<T> {
    T open() throws RocksDBException;
  }

  /** Opens a database, and closes it again by what disposes of its kind, if a callback threw meanwhile. */
  public static long alone(Opening<Long> opening, LongConsumer dispose) throws RocksDBException {
    return withFamilies(() -> new long[] {opening.open()}, dispose)[0];
  }

  public static long[] withFamilies(Opening<long[]> opening, LongConsumer dispose) throws RocksDBException {
    long began = FlightRecords.begin();
    StackRoom.requireForReentrance(); // for the objects too: a stack that ended where they are made would leave the lock
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
