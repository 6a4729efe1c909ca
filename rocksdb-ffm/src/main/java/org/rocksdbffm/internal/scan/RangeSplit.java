/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.settings.WriteRules;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.TableFiles;

/**
 * Divides ranges of a column family into halves of similar size, by the engine's estimate. In bytewise order and its
 * reverse any key between two others divides them; in the order of a Java comparator only the first keys of table files
 * are known to be keys. Thread-safe.
 */
public final class RangeSplit {
  /** Smaller ranges are not worth a second iterator. */
  private static final long LEAST_SIZE = 256 << 10;

  private static final FileWork.Measure MEASURE = new FileWork.Measure(true, true, false, 0.1);

  /** The number of bytes after a common prefix that are divided as a number. */
  private static final int DIGITS = 8;

  private final NativeFamily family;
  private final WriteRules order;

  // The first keys of the table files, in order; null in bytewise order and its reverse.
  private final List<byte[]> ofFiles;

  public RangeSplit(NativeFamily family) {
    this.family = family;
    this.order = family.rules();
    this.ofFiles =
        order.comparator() == null
            ? null
            : TableFiles.levels(family).stream()
                .flatMap(List::stream)
                .map(file -> file.first().array())
                .sorted(this::compare)
                .toList();
  }

  /** Returns a key between two keys of the family that divides the rows from one to the other; null if they are few. */
  public byte[] middle(byte[] first, byte[] last) {
    long size = size(first, last);
    if (size < LEAST_SIZE) {
      return null;
    }
    return ofFiles != null ? middleFile(first, last, size) : middleNumber(first, last, size);
  }

  private byte[] middleFile(byte[] first, byte[] last, long size) {
    List<byte[]> between =
        ofFiles.stream().filter(key -> compare(first, key) < 0 && compare(key, last) < 0).toList();
    int low = -1;
    int high = between.size();
    byte[] best = null;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      best = between.get(middle);
      if (size(first, best) < size / 2) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return best;
  }

  /** Searches the numbers between the digits of both keys. In reverse order the first number is the larger one. */
  private byte[] middleNumber(byte[] first, byte[] last, long size) {
    int common = Math.max(0, Arrays.mismatch(first, last));
    BigInteger low = digits(first, common);
    BigInteger high = digits(last, common);
    byte[] best = null;
    long bestError = size - size / 4; // more, and one part has nearly all rows
    while (high.subtract(low).abs().compareTo(BigInteger.ONE) > 0 && bestError > size / 4) {
      BigInteger middle = low.add(high).shiftRight(1);
      byte[] key = key(first, common, middle);
      long before = size(first, key);
      if (Math.abs(2 * before - size) < bestError) {
        bestError = Math.abs(2 * before - size);
        best = key;
      }
      if (before < size / 2) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return best;
  }

  private static BigInteger digits(byte[] key, int from) {
    return new BigInteger(1, Arrays.copyOfRange(key, from, from + DIGITS)); // shorter keys end with zeros
  }

  private static byte[] key(byte[] like, int common, BigInteger digits) {
    byte[] number = digits.toByteArray(); // may have a sign byte, or fewer bytes
    byte[] key = Arrays.copyOf(like, common + DIGITS);
    for (int i = 1; i <= DIGITS; i++) {
      key[key.length - i] = i <= number.length ? number[number.length - i] : 0;
    }
    return key;
  }

  private long size(byte[] from, byte[] until) {
    return FileWork.approximateSize(family, from, until, MEASURE);
  }

  private int compare(byte[] a, byte[] b) {
    return order.compare(MemorySegment.ofArray(a), a.length, MemorySegment.ofArray(b), b.length);
  }
}
