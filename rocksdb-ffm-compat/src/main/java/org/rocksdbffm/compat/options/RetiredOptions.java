/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/** Options in rocksdbjni's classes without native code, because the engine has removed them. */
public final class RetiredOptions {
  private static final String FAIL_IF_OPTIONS_FILE_ERROR = "fail_if_options_file_error";

  private RetiredOptions() {}

  public static void setFailIfOptionsFileError(long options, boolean fails) {
    OptionMemory.keep(options, FAIL_IF_OPTIONS_FILE_ERROR, fails);
  }

  /** Returns the value that was set; true by default, because the engine always fails now. */
  public static boolean failIfOptionsFileError(long options) {
    return (boolean) OptionMemory.kept(options, FAIL_IF_OPTIONS_FILE_ERROR, true);
  }
}
