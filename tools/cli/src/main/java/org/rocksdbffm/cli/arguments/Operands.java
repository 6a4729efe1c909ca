/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.internal.options.MergeOperatorName;

/** Replaces unknown merge operators: it does not merge, but keeps the operands, so that they can be printed. */
public final class Operands {
  private final boolean kept;
  private final Map<ByteBuffer, Row> rows = new ConcurrentHashMap<>(); // rows that were read and not taken yet

  /** An unmerged value: the parts are the older value, null if none, and the operands. */
  public record Row(String operator, List<ByteBuffer> parts) {}

  /** The operands of one database. Not kept if only value sizes are needed. */
  public Operands(boolean kept) {
    this.kept = kept;
  }

  /** Replaces a family's merge operator, also a built-in one with a delimiter that cannot be written as an option. */
  public FamilyOptions in(FamilyOptions options, MergeOperatorName merged) {
    String operator = MergeOperatorName.isOfTheEngine(merged.name()) ? merged.toString() : merged.name();
    MergeFunction keep = (key, value, operands) -> {
      List<ByteBuffer> parts = new ArrayList<>();
      parts.add(value == null ? null : ByteBuffer.wrap(value.toArray()));
      operands.forEach(operand -> parts.add(ByteBuffer.wrap(operand.toArray())));
      if (kept) {
        rows.put(ByteBuffer.wrap(key.toArray()), new Row(operator, parts));
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      parts.stream().filter(Objects::nonNull).forEach(part -> all.writeBytes(part.array()));
      return all.toByteArray();
    };
    return options.replaceStored("merge_operator").mergeOperator(operator, keep);
  }

  /** Returns and removes the unmerged value of a key that was read; null if its value is merged. */
  public Row take(byte[] key) {
    return rows.isEmpty() ? null : rows.remove(ByteBuffer.wrap(key));
  }

  /** Returns the cell of a merged or unmerged value. */
  public static Object cell(Row unmerged, byte[] value, ByteNotation notation) {
    return unmerged == null ? notation.cell(value) : notation.unmerged(unmerged.operator, unmerged.parts);
  }
}
