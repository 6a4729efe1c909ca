/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.util.Arrays;

/** A version, whose parts compare as numbers: 2.9 is older than 2.17. */
record Version(int[] parts) implements Comparable<Version> {
  static Version of(String text) {
    return new Version(Arrays.stream(text.split("\\.")).mapToInt(Integer::parseInt).toArray());
  }

  @Override
  public int compareTo(Version other) {
    return Arrays.compare(parts, other.parts);
  }

  @Override
  public String toString() {
    return String.join(".", Arrays.stream(parts).mapToObj(Integer::toString).toList());
  }
}
