/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.exit;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.foreign.HotCalls;

/**
 * Ends the process at exit, whatever the engine's threads do. RocksDB's exit handler waits for these threads, but a
 * thread may write for hours, and a thread that has entered Java never returns from a stopped JVM.
 */
public final class ExitHandler {
  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private ExitHandler() {}

  /**
   * Installs the handler once. Needs options, because creating any makes RocksDB register its exit handler: handlers
   * run in reverse order, so this one then runs first.
   */
  public static void install(MemorySegment options) {
    if (!INSTALLED.get()) {
      HotCalls.endAtExit(options.address());
      INSTALLED.set(true); // last, so that a failed attempt is repeated; a second handler is harmless
    }
  }
}
