/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import org.rocksdb.NativeLibraryLoader;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** Loads the engine as the core does, wherever upstream would unpack its own library. */
public final class Loading {
  private Loading() {}

  /** The folder is of no use: the core's own keeps one verified copy for all processes of a user. */
  public static void load(NativeLibraryLoader loader, String folder) {
    NativeLibrary.load();
  }
}
