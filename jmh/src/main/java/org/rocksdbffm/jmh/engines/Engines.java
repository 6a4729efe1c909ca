/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines;

import java.nio.file.Path;
import org.rocksdbffm.jmh.engines.capi.NativeBinding;
import org.rocksdbffm.jmh.engines.ffm.FfmBinding;
import org.rocksdbffm.jmh.engines.ffm.FfmUpstreamDatabase;
import org.rocksdbffm.jmh.engines.jni.JniBinding;
import org.rocksdbffm.jmh.engines.jni.JniUpstreamDatabase;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.UpstreamDatabase;

/** Opens databases with an engine, given by name. */
public final class Engines {
  private Engines() {}

  /** Opens a database for reading and writing, and creates it if missing. */
  public static Binding open(String engine, Path folder, Tuning tuning) throws Exception {
    return switch (engine) {
      case Binding.NATIVE -> new NativeBinding(folder, tuning);
      case Binding.JNI -> new JniBinding(folder, tuning);
      case Binding.FFM -> new FfmBinding(folder, tuning);
      default -> throw new IllegalArgumentException("engine: " + engine + ", but there are native, jni and ffm");
    };
  }

  /** Creates a database with a number of families in addition to the default one. */
  public static UpstreamDatabase openUpstream(String engine, Path folder, int families) throws Exception {
    return switch (engine) {
      case Binding.JNI -> new JniUpstreamDatabase(folder, families);
      case Binding.FFM -> new FfmUpstreamDatabase(folder, families);
      default -> throw new IllegalArgumentException("engine: " + engine + ", but there are jni and ffm");
    };
  }
}
