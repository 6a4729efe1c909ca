/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

/**
 * How many write buffers stay in memory after they were flushed, for transactions to look at: older releases have the
 * number as an option, and the engine now has their size. Here the size follows the number.
 */
public final class MaintainedBuffers {
  private static final String NUMBER = "max_write_buffer_number_to_maintain";

  /** The engine takes no more. */
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

  /** As many bytes as these buffers can have; below zero the engine itself takes as many as may be written at a time. */
  private static void maintain(long options, int number) {
    double bytes = (double) number * rocksdb_options_get_write_buffer_size(options);
    rocksdb_options_set_max_write_buffer_size_to_maintain(options, number < 0 ? -1 : (long) Math.min(MOST, bytes));
  }

  private static native void rocksdb_options_set_write_buffer_size(long options, long size);

  private static native long rocksdb_options_get_write_buffer_size(long options);

  private static native void rocksdb_options_set_max_write_buffer_size_to_maintain(long options, long size);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setWriteBufferSize(long options, long size);
}
