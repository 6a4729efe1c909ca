/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/** The flags for parsing options that are given as text, as far as C lets one choose. */
public final class ConfigFlags {
  private static final String IGNORES_UNKNOWN = "ignores unknown";

  private ConfigFlags() {}

  static boolean ignoresUnknown(long config) {
    return config != 0 && (boolean) OptionMemory.kept(config, IGNORES_UNKNOWN, false);
  }

  public static void setIgnoresUnknown(long config, boolean ignores) {
    Java_org_rocksdb_ConfigOptions_setIgnoreUnknownOptions(config, ignores);
    OptionMemory.keep(config, IGNORES_UNKNOWN, ignores);
  }

  /** It is put between options that are written, and nothing writes them here. */
  public static void setDelimiter(long config, String delimiter) {}

  public static void dispose(long config) {
    OptionMemory.forget(config);
    Java_org_rocksdb_ConfigOptions_disposeInternalJni(config);
  }

  private static native void Java_org_rocksdb_ConfigOptions_setIgnoreUnknownOptions(long config, boolean ignores);

  private static native void Java_org_rocksdb_ConfigOptions_disposeInternalJni(long config);
}
