/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.RecoveryCalls;

/**
 * Notes that the disk of a database was full, and prevents the engine's own recovery from that. Native code does both
 * on the engine's threads, without calling Java. The caller owns it and closes it once; until then it is thread-safe.
 */
public final class RecoveryWatch implements AutoCloseable {
  private final long recovery;

  /** Adds a listener for this to options. */
  public RecoveryWatch(MemorySegment options) {
    recovery = RecoveryCalls.createRecovery();
    if (recovery == 0) {
      throw new OutOfMemoryError("no native memory for the listener of a full disk");
    }
    MemorySegment none = RecoveryCalls.ignore();
    MemorySegment listener =
        RocksDbC.rocksdb_eventlistener_create(
            Memory.atAddress(recovery),
            RecoveryCalls.release(),
            none, none, none, none, none, none, none, none, none,
            RecoveryCalls.sealed());
    RecoveryCalls.watch(recovery, listener.address());
    RocksDbC.rocksdb_options_add_eventlistener(options, listener);
  }

  /** Returns whether the disk was full since the last call. */
  public boolean takeWanted() {
    return RecoveryCalls.takeWanted(recovery);
  }

  @Override
  public void close() {
    RecoveryCalls.releaseRecovery(recovery);
  }
}
