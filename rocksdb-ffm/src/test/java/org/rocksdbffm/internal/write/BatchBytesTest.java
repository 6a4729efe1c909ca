/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchBytesTest {
  private static String hex(BatchBytes batch) {
    byte[] bytes = new byte[batch.size()];
    batch.copyTo(MemorySegment.ofArray(bytes));
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void theFormIsTheEngines() {
    BatchBytes batch = new BatchBytes(0);
    batch.append(Operation.PUT, 0, new byte[] {1}, new byte[] {2, 3});
    batch.append(Operation.DELETE, 300, new byte[] {4});
    batch.append(Operation.DELETE_RANGE, 1, new byte[0], new byte[] {5});
    assertEquals("0000000000000000" + "03000000" + "01010102" + "0203" + "04ac020104" + "0e01000105", hex(batch));
    assertEquals(3, batch.count());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152})
  void lengthsAndFamiliesOfEverySizeAreReadBack(int size) {
    BatchBytes batch = new BatchBytes(0);
    batch.append(Operation.MERGE, size, new byte[size], new byte[size + 1]);
    batch.append(Operation.SINGLE_DELETE, Integer.MAX_VALUE, MemorySegment.ofArray(new byte[size]));
    List<String> shown = new ArrayList<>();
    batch.forEach((operation, family, first, second) ->
        shown.add(operation + " " + family + " " + first.byteSize() + " " + (second == null ? "" : second.byteSize())));
    assertEquals(
        List.of("MERGE " + size + " " + size + " " + (size + 1), "SINGLE_DELETE 2147483647 " + size + " "), shown);
  }

  @Test
  void aCheckSeesOperationsAndTheKeysOfRanges() {
    BatchBytes batch = new BatchBytes(0);
    batch.append(Operation.PUT, 0, new byte[200], new byte[300]);
    batch.check((operation, family, first, second) -> { throw new AssertionError("puts alone need no check"); });
    batch.append(Operation.MERGE, 0, new byte[1], new byte[1]);
    batch.append(Operation.DELETE, 7, new byte[150]);
    batch.append(Operation.DELETE_RANGE, 0, new byte[] {1}, new byte[] {2});
    List<String> seen = new ArrayList<>();
    batch.check((operation, family, first, second) ->
        seen.add(operation + " " + family + (first == null ? "" : " " + first.get(ValueLayout.JAVA_BYTE, 0))));
    assertEquals(List.of("PUT 0", "MERGE 0", "DELETE 7", "DELETE_RANGE 0 1"), seen);
    batch.clear();
    batch.append(Operation.PUT, 0, new byte[1], new byte[1]);
    batch.check((operation, family, first, second) -> { throw new AssertionError("cleared"); });
  }

  @Test
  void aRecordThatCannotBeCopiedLeavesTheBatchAsItWas() {
    BatchBytes batch = new BatchBytes(0);
    batch.append(Operation.PUT, 0, new byte[1], new byte[1]);
    String before = hex(batch);
    MemorySegment tooLarge = MemorySegment.NULL.reinterpret(3L << 30);
    var e = assertThrows(IllegalStateException.class, () -> batch.append(Operation.DELETE, 0, tooLarge));
    assertEquals("the batch would exceed 2 GiB: write it, clear it, and go on", e.getMessage());
    assertEquals(before, hex(batch));
  }
}
