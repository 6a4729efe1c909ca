/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeOperator;

/** A merge operator of a column family, and its Java implementation for the model. */
enum Merging {
  ADD {
    @Override
    FamilyOptions in(FamilyOptions options) {
      return options.mergeOperator(MergeOperator.uint64Add());
    }

    @Override
    byte[] merge(byte[] value, byte[] operand) {
      long sum = number(value) + number(operand);
      byte[] bytes = new byte[Long.BYTES];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (sum >>> 8 * i);
      }
      return bytes;
    }
  },
  APPEND {
    @Override
    FamilyOptions in(FamilyOptions options) {
      return options.mergeOperator(MergeOperator.stringAppend(','));
    }

    @Override
    byte[] merge(byte[] value, byte[] operand) {
      return append(value, (byte) ',', operand);
    }
  },
  APPEND_OTHERWISE {
    @Override
    FamilyOptions in(FamilyOptions options) {
      return options.mergeOperator(MergeOperator.stringAppend("|"));
    }

    @Override
    byte[] merge(byte[] value, byte[] operand) {
      return append(value, (byte) '|', operand);
    }
  },
  MAX {
    @Override
    FamilyOptions in(FamilyOptions options) {
      return options.mergeOperator(MergeOperator.max());
    }

    @Override
    byte[] merge(byte[] value, byte[] operand) {
      return value == null || Arrays.compareUnsigned(value, operand) < 0 ? operand : value;
    }
  },
  IN_JAVA {
    @Override
    FamilyOptions in(FamilyOptions options) {
      return options.mergeOperator("torture.append", (key, value, operands) -> {
        byte[] merged = value == null ? null : value.toArray();
        for (var operand : operands) {
          merged = merge(merged, operand.toArray());
        }
        return merged;
      });
    }

    @Override
    byte[] merge(byte[] value, byte[] operand) {
      return append(value, (byte) '/', operand);
    }
  };

  abstract FamilyOptions in(FamilyOptions options);

  abstract byte[] merge(byte[] value, byte[] operand);

  boolean isMadeByTheEngine() {
    return this != IN_JAVA;
  }

  /** Returns an operand that can be merged with all results of this operator. */
  byte[] operand(int seed) {
    return this == ADD
        ? new byte[] {(byte) seed, 0, 0, 0, 0, 0, 0, 0}
        : Integer.toString(seed, 36).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] append(byte[] value, byte between, byte[] operand) {
    if (value == null) {
      return operand;
    }
    byte[] all = Arrays.copyOf(value, value.length + 1 + operand.length);
    all[value.length] = between;
    System.arraycopy(operand, 0, all, value.length + 1, operand.length);
    return all;
  }

  /** Returns the number; 0 for a value of another length, as in the engine. */
  private static long number(byte[] value) {
    long number = 0;
    if (value != null && value.length == Long.BYTES) {
      for (int i = 0; i < value.length; i++) {
        number |= (value[i] & 0xffL) << 8 * i;
      }
    }
    return number;
  }
}
