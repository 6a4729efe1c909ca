/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.cli.frame.Bytes;

/** Takes the place of merge operators that are not known here: it merges nothing, and keeps what was to be merged. */
public final class Operands {
  private final Map<ByteBuffer, Row> rows = new ConcurrentHashMap<>(); // that were read and are not printed yet

  private record Row(String operator, List<byte[]> operands) {}

  /**
   * Has rows read without their merge operator.
   *
   * @param options of the family
   * @param operator its name
   * @return the options, for reading alone
   */
  public FamilyOptions in(FamilyOptions options, String operator) {
    MergeFunction keep = (key, value, operands) -> {
      List<byte[]> all = new ArrayList<>();
      all.add(value == null ? null : value.toArray());
      operands.forEach(operand -> all.add(operand.toArray()));
      rows.put(ByteBuffer.wrap(key.toArray()), new Row(operator, all));
      return new byte[0];
    };
    return options.mergeOperator(operator, keep);
  }

  /** The cell of a value that was read: if it is not merged, the older value and what is to be merged with it. */
  Object cell(byte[] key, byte[] value, Bytes notation) {
    Row its = rows.remove(ByteBuffer.wrap(key));
    return its == null ? notation.cell(value) : notation.unmerged(its.operator, its.operands);
  }
}
