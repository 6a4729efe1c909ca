/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * A number of bytes.
 *
 * @param bytes at least 0
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  private static final long UNIT = 1024;

  /**
   * Checks that the number is not negative.
   *
   * @param bytes at least 0
   */
  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " is negative");
    }
  }

  /**
   * Returns a number of bytes.
   *
   * @param count at least 0
   * @return that many bytes
   */
  public static ByteSize bytes(long count) {
    return new ByteSize(count);
  }

  /**
   * Returns a number of kibibytes, of 1024 bytes.
   *
   * @param count at least 0
   * @return {@code count} times 1024 bytes
   */
  public static ByteSize kib(long count) {
    return times(count, UNIT);
  }

  /**
   * Returns a number of mebibytes, of 1024 kibibytes.
   *
   * @param count at least 0
   * @return that many mebibytes
   */
  public static ByteSize mib(long count) {
    return times(count, UNIT * UNIT);
  }

  /**
   * Returns a number of gibibytes, of 1024 mebibytes.
   *
   * @param count at least 0
   * @return that many gibibytes
   */
  public static ByteSize gib(long count) {
    return times(count, UNIT * UNIT * UNIT);
  }

  private static ByteSize times(long count, long unit) {
    if (count < 0 || count > Long.MAX_VALUE / unit) {
      throw new IllegalArgumentException("count: " + count + ", but it is from 0 to " + Long.MAX_VALUE / unit);
    }
    return new ByteSize(count * unit);
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  @Override
  public String toString() {
    String[] units = {"B", "KiB", "MiB", "GiB"};
    long count = bytes;
    int unit = 0;
    while (count != 0 && count % UNIT == 0 && unit < units.length - 1) {
      count /= UNIT;
      unit++;
    }
    return count + " " + units[unit];
  }
}
