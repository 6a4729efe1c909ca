/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options.table;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that each option works at the bounds in its row of the table, and is refused beyond them. */
class OptionBoundsTest {
  @Test
  void aDatabaseWorksAtEachBoundOfEachOption() {
    ChildJvm.of(OptionBounds.class).within(Duration.ofMinutes(8)).run().assertExit(0);
  }

  @Test
  void oneBeyondABoundIsRefusedByName() {
    int tried = 0;
    for (OptionRow row : OptionBounds.rows()) {
      if (!(row.type() instanceof NumericType numbers)) {
        continue;
      }
      for (NumericType.Range range : numbers.ranges()) {
        for (long beyond : new long[] {range.from() - 1, range.to() + 1}) {
          String value = numbers.type() == NumberType.ULONG ? Long.toUnsignedString(beyond) : Long.toString(beyond);
          boolean wraps =
              beyond == range.from() - 1 ? range.from() == numbers.type().least : range.to() == numbers.type().most;
          if (wraps || numbers.isAmongSupported(value) || row.isDefault(value)) {
            continue; // no number is beyond this bound, or another range follows
          }
          tried++;
          String message =
              assertThrows(IllegalArgumentException.class, () -> row.require(value), row.name()).getMessage();
          assertTrue(message.startsWith(row.described() + ": " + value + ", but it must be "), message);
        }
      }
    }
    assertTrue(tried > 100, tried + " tried");
  }
}
