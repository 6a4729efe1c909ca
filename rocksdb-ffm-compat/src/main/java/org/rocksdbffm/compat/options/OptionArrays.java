/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Options with a value for each level. The C API can only set them, so this reads them from memory: a std::vector
 * starts with pointers to its first element and after its last. The offset of each vector is found once, by setting the
 * option and searching memory for the values.
 */
public final class OptionArrays {
  private static final int LEVELS = 23;

  private static final long COMPRESSIONS = findCompressions();
  private static final long MULTIPLIERS = findMultipliers();

  private OptionArrays() {}

  public static void setCompressions(long options, byte[] compressions) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, compressions.length));
      for (int i = 0; i < compressions.length; i++) {
        numbers.setAtIndex(ValueLayout.JAVA_INT, i, Byte.toUnsignedInt(compressions[i]));
      }
      rocksdb_options_set_compression_per_level(options, numbers.address(), compressions.length);
    }
  }

  public static void setFamilyCompressions(long familyOptions, byte[] compressions) {
    setCompressions(FamilyOptions.asOptions(familyOptions), compressions);
  }

  public static byte[] compressions(long options) {
    return vector(options + COMPRESSIONS).toArray(ValueLayout.JAVA_BYTE);
  }

  public static byte[] familyCompressions(long familyOptions) {
    return compressions(FamilyOptions.asOptions(familyOptions));
  }

  public static void setMultipliers(long options, int[] multipliers) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, multipliers.length));
      MemorySegment.copy(multipliers, 0, numbers, ValueLayout.JAVA_INT, 0, multipliers.length);
      rocksdb_options_set_max_bytes_for_level_multiplier_additional(options, numbers.address(), multipliers.length);
    }
  }

  public static void setFamilyMultipliers(long familyOptions, int[] multipliers) {
    setMultipliers(FamilyOptions.asOptions(familyOptions), multipliers);
  }

  public static int[] multipliers(long options) {
    return vector(options + MULTIPLIERS).toArray(ValueLayout.JAVA_INT);
  }

  public static int[] familyMultipliers(long familyOptions) {
    return multipliers(FamilyOptions.asOptions(familyOptions));
  }

  /** Returns the elements of a vector, from its two pointers. */
  private static MemorySegment vector(long address) {
    MemorySegment words = Memory.at(address, 2L * Long.BYTES);
    long begin = Memory.pointer(words, 0);
    return Memory.at(begin, Memory.pointer(words, Long.BYTES) - begin);
  }

  private static long findCompressions() {
    long options = rocksdb_options_create();
    try {
      byte[] marks = new byte[LEVELS];
      for (int i = 0; i < LEVELS; i++) {
        marks[i] = (byte) (i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 4); // none, Snappy, LZ4
      }
      setCompressions(options, marks);
      return findVector(options, marks);
    } finally {
      rocksdb_options_destroy(options);
    }
  }

  private static long findMultipliers() {
    long options = rocksdb_options_create();
    try {
      int[] marks = new int[LEVELS];
      Arrays.setAll(marks, i -> 1000 + i);
      setMultipliers(options, marks);
      return findVector(options, MemorySegment.ofArray(marks).toArray(ValueLayout.JAVA_BYTE));
    } finally {
      rocksdb_options_destroy(options);
    }
  }

  /** Returns the offset of the vector with these bytes in options that contain it. */
  private static long findVector(long options, byte[] bytes) {
    for (long offset = 0; offset < 8192; offset += Long.BYTES) {
      MemorySegment words = Memory.at(options + offset, 2L * Long.BYTES);
      long begin = Memory.pointer(words, 0);
      if (begin != 0
          && Memory.pointer(words, Long.BYTES) - begin == bytes.length
          && Arrays.equals(bytes, Memory.toArray(begin, bytes.length))) {
        return offset;
      }
    }
    throw new IllegalStateException("the engine's options have not the field that they are known to have");
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_options_destroy(long options);

  private static native void rocksdb_options_set_compression_per_level(long options, long levels, long count);

  private static native void rocksdb_options_set_max_bytes_for_level_multiplier_additional(
      long options, long levels, long count);
}
