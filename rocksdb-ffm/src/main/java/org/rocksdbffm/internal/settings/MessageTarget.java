/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.callback.LogQueue;
import org.rocksdbffm.internal.callback.RawLog;
import org.rocksdbffm.internal.options.CheckedSettings;

/**
 * Where the engine's messages go.
 *
 * @param isFile whether to files of the engine's own
 * @param sink takes them; null if they go to files, or nowhere
 */
public record MessageTarget(boolean isFile, RawLog sink) {
  public static final MessageTarget FILE = new MessageTarget(true, null);
  public static final MessageTarget NOWHERE = new MessageTarget(false, null);

  /** Options of the files, and the values with which they have nothing to say. */
  private static final Map<String, String> OF_FILES =
      Map.of("db_log_dir", "", "max_log_file_size", "0", "log_file_time_to_roll", "0", "keep_log_file_num", "1000");

  public static MessageTarget to(RawLog sink) {
    return new MessageTarget(false, sink);
  }

  /** Refuses an option of files that there are none of. */
  void requireAlone(CheckedSettings settings) {
    if (isFile) {
      return;
    }
    OF_FILES.forEach((option, unset) -> {
      if (!settings.options().getOrDefault(option, unset).equals(unset)) {
        throw new IllegalArgumentException("option " + option + ": beside Options.infoLog it has no effect; leave one out");
      }
    });
  }

  /** Sets it in options with which a database is opened at once; null if nothing is to be released with them. */
  LogQueue setIn(MemorySegment options, String database) {
    if (isFile) {
      return null;
    }
    if (sink == null) {
      LogQueue.silence(options);
      return null;
    }
    return LogQueue.setIn(options, sink, database);
  }
}
