/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.nio.file.Path;

/** Opens databases with the engine of a name, and restores backups. */
public final class FileStores {
  public static final String JNI = "jni";
  public static final String FFM = "ffm";

  /** So large that memtables are only flushed manually, and no WAL is deleted before it is read. */
  static final long WRITE_BUFFER_BYTES = 2L << 30;

  private FileStores() {}

  /** Opens a database without compression and compactions, and creates it if missing. */
  public static FileStore open(String engine, Path folder) throws Exception {
    return switch (engine) {
      case JNI -> new JniFiles(folder);
      case FFM -> new FfmFiles(folder);
      default -> throw new IllegalArgumentException("engine: " + engine + ", but there are jni and ffm");
    };
  }

  /** Restores the last backup of a folder. */
  public static void restore(String engine, Path backups, Path target) throws Exception {
    switch (engine) {
      case JNI -> JniFiles.restore(backups, target);
      case FFM -> FfmFiles.restore(backups, target);
      default -> throw new IllegalArgumentException("engine: " + engine + ", but there are jni and ffm");
    }
  }
}
