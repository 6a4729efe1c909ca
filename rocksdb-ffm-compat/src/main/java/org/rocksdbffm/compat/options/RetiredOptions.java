/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/** Options that upstream's classes still have, without native code, since the engine has them no more. */
public final class RetiredOptions {
  private static final String FAIL_IF_OPTIONS_FILE_ERROR = "fail_if_options_file_error";

  private RetiredOptions() {}

  public static void setFailIfOptionsFileError(long options, boolean fails) {
    OptionMemory.keep(options, FAIL_IF_OPTIONS_FILE_ERROR, fails);
  }

  /** The engine always fails now, which is the default. */
  public static boolean failIfOptionsFileError(long options) {
    return (boolean) OptionMemory.kept(options, FAIL_IF_OPTIONS_FILE_ERROR, true);
  }
}
