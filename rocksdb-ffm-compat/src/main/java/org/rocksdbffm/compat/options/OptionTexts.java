/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Reads string options, by the addresses of their text. */
public final class OptionTexts {
  private OptionTexts() {}

  public static String logFolder(long options) {
    try (Call call = Scratch.enter()) {
      return text(call, rocksdb_options_get_db_log_dir(options, call.sizeCell.address()));
    }
  }

  public static String walFolder(long options) {
    try (Call call = Scratch.enter()) {
      return text(call, rocksdb_options_get_wal_dir(options, call.sizeCell.address()));
    }
  }

  public static String dailyOffpeakTime(long options) {
    try (Call call = Scratch.enter()) {
      return text(call, rocksdb_options_get_daily_offpeak_time_utc(options, call.sizeCell.address()));
    }
  }

  private static String text(Call call, long address) {
    return new String(Memory.toArray(address, call.sizeInCell()), UTF_8);
  }

  private static native long rocksdb_options_get_db_log_dir(long options, long size);

  private static native long rocksdb_options_get_wal_dir(long options, long size);

  private static native long rocksdb_options_get_daily_offpeak_time_utc(long options, long size);
}
