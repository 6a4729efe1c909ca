/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.store;

import java.nio.file.Path;

/** Opens databases by the name of their engine, and has what is not of a database. */
public final class FileStores {
  public static final String JNI = "jni";
  public static final String FFM = "ffm";

  /** No log is deleted before it is read, and no memtable is flushed but by hand. */
  static final long WRITE_BUFFER_BYTES = 2L << 30;

  private FileStores() {}

  /** Opens a database, and creates it if need be: without compression, and without compactions. */
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
