/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Reads string options, by the addresses of their text. */
public final class OptionTexts {
  private OptionTexts() {}

  private interface Getter {
    long address(long options, long size);
  }

  public static String logFolder(long options) {
    return text(OptionTexts::rocksdb_options_get_db_log_dir, options);
  }

  public static String walFolder(long options) {
    return text(OptionTexts::rocksdb_options_get_wal_dir, options);
  }

  public static String dailyOffpeakTime(long options) {
    return text(OptionTexts::rocksdb_options_get_daily_offpeak_time_utc, options);
  }

  private static String text(Getter getter, long options) {
    Call call = Scratch.enter();
    try {
      long address = getter.address(options, call.sizeCell.address());
      return new String(Memory.toArray(address, call.sizeInCell()), UTF_8);
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_options_get_db_log_dir(long options, long size);

  private static native long rocksdb_options_get_wal_dir(long options, long size);

  private static native long rocksdb_options_get_daily_offpeak_time_utc(long options, long size);
}
