/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.exit;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * Has the process end when it is told to, whatever the engine's threads do. The engine's own handler waits for them:
 * one may write for hours, and one that has been in Java does not come back from a JVM that has stopped.
 */
public final class ExitHandler {
  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private ExitHandler() {}

  /** Installs it once; with the options, any, the engine has installed its own handler, which then runs later. */
  public static void install(MemorySegment options) {
    if (!INSTALLED.get()) {
      RocksDbC.rocksdb_ffm_end_at_exit(options);
      INSTALLED.set(true); // not before: a stack that is full has installed nothing, and a second one does no harm
    }
  }
}
