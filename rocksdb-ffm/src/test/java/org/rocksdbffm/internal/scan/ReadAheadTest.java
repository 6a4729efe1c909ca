/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  @Test
  void itReadsFewRowsAtFirstAndAnEighthOfThoseThatWereAskedForLater() {
    ReadAhead ahead = new ReadAhead(3, 6);
    assertEquals("3 3 3 3 3 3 3 3 3 3 3 4 4 5 5 6 6 6 6", next(ahead, 19));
    ahead.restart();
    assertEquals("3 3", next(ahead, 2));
  }

  @Test
  void itReadsNoMoreThanTheMostHoweverLongItGoesOn() {
    assertEquals(16, IntStream.generate(new ReadAhead(1, 16)::next).limit(1_000_000).max().orElseThrow());
    assertEquals("256 256", next(new ReadAhead(256, 256), 2));
  }

  private static String next(ReadAhead ahead, int count) {
    return String.join(" ", IntStream.range(0, count).mapToObj(i -> Integer.toString(ahead.next())).toList());
  }
}
