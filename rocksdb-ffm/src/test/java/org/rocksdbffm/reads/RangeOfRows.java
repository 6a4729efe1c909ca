/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.tools.Order;

/** A range with its ends, null for open ones; finds the range's rows in a map. */
public record RangeOfRows(KeyRange range, byte[] from, boolean startExcluded, byte[] until, boolean endIncluded) {
  /** Returns a random range of any kind, including reversed ones. */
  static RangeOfRows random(Random random, Keys keys) {
    byte[] from = random.nextInt(4) == 0 ? null : keys.next(random);
    byte[] until = random.nextInt(4) == 0 ? null : keys.next(random);
    boolean excluded = random.nextInt(3) == 0;
    boolean included = random.nextInt(3) == 0;
    byte[] prefix = keys.next(random);
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        return new RangeOfRows(KeyRange.prefix(prefix), prefix, false, behind(prefix), false);
      }
      case 2 -> {
        byte[] next = nextNumber(prefix);
        return new RangeOfRows(KeyRange.between(prefix, next), prefix, false, next, false);
      }
      default -> {}
    }
    KeyRange range =
        from == null
            ? until == null ? KeyRange.all() : included ? KeyRange.through(until) : KeyRange.until(until)
            : until == null ? KeyRange.from(from) : included ? KeyRange.closed(from, until)
            : KeyRange.between(from, until);
    return new RangeOfRows(excluded ? range.excludingStart() : range, from, excluded, until, included);
  }

  /** Returns the first key in bytewise order after all keys with a prefix; null if there is none. */
  private static byte[] behind(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == -1) {
      length--;
    }
    byte[] behind = Arrays.copyOf(prefix, length);
    if (length > 0) {
      behind[length - 1]++;
    }
    return length == 0 ? null : behind;
  }

  /** Returns the next key of the same length: the key plus one, as a number. */
  private static byte[] nextNumber(byte[] key) {
    byte[] next = key.clone();
    for (int i = key.length - 1; i >= 0 && ++next[i] == 0; ) {
      i--;
    }
    return next;
  }

  NavigableMap<byte[], byte[]> of(NavigableMap<byte[], byte[]> rows) {
    Comparator<? super byte[]> order = rows.comparator();
    NavigableMap<byte[], byte[]> within = new TreeMap<>(order);
    rows.forEach((key, value) -> {
      int low = from == null ? 1 : order.compare(key, from);
      int high = until == null ? -1 : order.compare(key, until);
      if ((low > 0 || low == 0 && !startExcluded) && (high < 0 || high == 0 && endIncluded)) {
        within.put(key, value);
      }
    });
    return within;
  }

  /** Returns whether the message is the right reason to refuse a deletion of the range. */
  boolean isRefused(Order order, String message) {
    boolean isOpen = from == null || until == null;
    return isOpen && message.contains("is open")
        || !isOpen && startExcluded && order != Order.BYTES && message.contains("begins behind a key")
        || !isOpen && order.comparator.compare(from, until) >= 0 && message.contains(" lies before from");
  }
}
