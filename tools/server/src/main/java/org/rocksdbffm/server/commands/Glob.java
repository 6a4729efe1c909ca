/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

/** A pattern in Redis' syntax for bytes: star, question mark, sets in brackets, and escapes with a backslash. */
public record Glob(byte[] pattern) {
  /** Takes linear time for each star, because it backtracks to the last star only. */
  public boolean matches(byte[] key) {
    int at = 0;
    int in = 0;
    int star = -1;
    int resume = 0;
    while (in < key.length) {
      if (at < pattern.length && pattern[at] == '*') {
        star = at++;
        resume = in;
        continue;
      }
      int next = at < pattern.length ? matchOne(at, key[in]) : -1;
      if (next >= 0) {
        at = next;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++resume;
      } else {
        return false;
      }
    }
    while (at < pattern.length && pattern[at] == '*') {
      at++;
    }
    return at == pattern.length;
  }

  /** Returns the pattern's offset after the part that matches the byte; negative if it does not match. */
  private int matchOne(int at, byte b) {
    return switch (pattern[at]) {
      case '?' -> at + 1;
      case '[' -> matchSet(at + 1, b & 0xff);
      case '\\' -> at + 1 < pattern.length ? same(at + 1, b) : same(at, b);
      default -> same(at, b);
    };
  }

  private int same(int at, byte b) {
    return pattern[at] == b ? at + 1 : -1;
  }

  private int matchSet(int at, int b) {
    boolean negated = at < pattern.length && pattern[at] == '^';
    boolean found = false;
    int i = negated ? at + 1 : at;
    for (; i < pattern.length && pattern[i] != ']'; i++) {
      if (pattern[i] == '\\' && i + 1 < pattern.length) {
        i++;
      }
      int low = pattern[i] & 0xff;
      int high = low;
      if (i + 2 < pattern.length && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
        high = pattern[i + 2] & 0xff;
        i += 2;
      }
      found |= Math.min(low, high) <= b && b <= Math.max(low, high);
    }
    return found != negated ? Math.min(i + 1, pattern.length) : -1;
  }
}
