/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/** The flags of ConfigOptions for parsing options, as far as the C API supports them. */
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

  /** Ignored: the delimiter separates options in generated text, and this library generates none. */
  public static void setDelimiter(long config, String delimiter) {}

  public static void dispose(long config) {
    OptionMemory.forget(config);
    Java_org_rocksdb_ConfigOptions_disposeInternalJni(config);
  }

  private static native void Java_org_rocksdb_ConfigOptions_setIgnoreUnknownOptions(long config, boolean ignores);

  private static native void Java_org_rocksdb_ConfigOptions_disposeInternalJni(long config);
}
