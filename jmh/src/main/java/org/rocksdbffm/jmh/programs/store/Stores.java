/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.store;

import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.EncryptionKeys;

/** Opens stores with the engine of a name. */
public final class Stores {
  public static final String JNI = "jni";
  public static final String FFM = "ffm";

  /** This library with encrypted files. */
  public static final String ENCRYPTED = "encrypted";

  /** The key of encrypted files. */
  public static final EncryptionKeys KEYS = () -> List.of(new EncryptionKeys.Key("measured", new byte[32]));

  static final long WRITE_BUFFER_BYTES = 8L << 20;
  static final long CACHE_BYTES = 64L << 20;
  static final int FILTER_BITS = 10;
  static final int INFO_LOGS = 1;
  static final int BACKGROUND_JOBS = 2;

  private Stores() {}

  /**
   * Opens a store, and creates it if missing.
   *
   * @param families the number of families, at least one
   */
  public static ProgramStore open(String engine, Path folder, ProgramStore.Kind kind, int families) throws Exception {
    return switch (engine) {
      case JNI -> new JniStore(folder, kind, families);
      case FFM -> new FfmStore(folder, kind, families, false);
      case ENCRYPTED -> new FfmStore(folder, kind, families, true);
      default -> throw new IllegalArgumentException("engine: " + engine + ", but there are jni, ffm and encrypted");
    };
  }

  static String familyName(int family) {
    return "family-" + family;
  }
}
