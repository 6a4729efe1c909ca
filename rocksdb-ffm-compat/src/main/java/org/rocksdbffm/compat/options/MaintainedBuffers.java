/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/**
 * The option max_write_buffer_number_to_maintain of older releases: the number of flushed memtables that stay in memory
 * for conflict checks of transactions. The engine now has an option for their total size, which this class derives from
 * the number.
 */
public final class MaintainedBuffers {
  private static final String NUMBER = "max_write_buffer_number_to_maintain";

  /** The largest size that the engine accepts. */
  private static final long MOST = 1L << 40;

  private MaintainedBuffers() {}

  public static int number(long options) {
    return (int) OptionMemory.kept(options, NUMBER, 0);
  }

  public static void setNumber(long options, int number) {
    OptionMemory.keep(options, NUMBER, number);
    maintain(options, number);
  }

  public static void setNumberInFamily(long familyOptions, int number) {
    OptionMemory.keep(familyOptions, NUMBER, number);
    maintain(FamilyOptions.asOptions(familyOptions), number);
  }

  public static void setSize(long options, long size) {
    rocksdb_options_set_write_buffer_size(options, size);
    int number = number(options);
    if (number != 0) {
      maintain(options, number);
    }
  }

  public static void setSizeInFamily(long familyOptions, long size) {
    Java_org_rocksdb_ColumnFamilyOptions_setWriteBufferSize(familyOptions, size);
    int number = number(familyOptions);
    if (number != 0) {
      maintain(FamilyOptions.asOptions(familyOptions), number);
    }
  }

  /** Sets the size to that many full write buffers. For a negative number, the engine uses max_write_buffer_number. */
  private static void maintain(long options, int number) {
    double bytes = (double) number * rocksdb_options_get_write_buffer_size(options);
    rocksdb_options_set_max_write_buffer_size_to_maintain(options, number < 0 ? -1 : (long) Math.min(MOST, bytes));
  }

  private static native void rocksdb_options_set_write_buffer_size(long options, long size);

  private static native long rocksdb_options_get_write_buffer_size(long options);

  private static native void rocksdb_options_set_max_write_buffer_size_to_maintain(long options, long size);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setWriteBufferSize(long options, long size);
}
