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
import org.rocksdbffm.cli.frame.Bytes;
import org.rocksdbffm.internal.options.MergeOperatorName;

/** Takes the place of merge operators that are not known here: it merges nothing, and keeps what was to be merged. */
public final class Operands {
  private final boolean kept;
  private final Map<ByteBuffer, Row> rows = new ConcurrentHashMap<>(); // that were read and are not taken yet

  /** A value that is not merged: the older one, null if there is none, and what the operator would merge with it. */
  public record Row(String operator, List<ByteBuffer> parts) {}

  /** Those of one database; they are not kept where only the sizes of values matter. */
  public Operands(boolean kept) {
    this.kept = kept;
  }

  /** Has rows read without their merge operator, which may be the engine's with a delimiter that no text of options has. */
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

  /** Takes a row that was read; null if its value is merged. */
  public Row take(byte[] key) {
    return rows.isEmpty() ? null : rows.remove(ByteBuffer.wrap(key));
  }

  /** The cell of a value that was read, be it merged or not. */
  public static Object cell(Row unmerged, byte[] value, Bytes notation) {
    return unmerged == null ? notation.cell(value) : notation.unmerged(unmerged.operator, unmerged.parts);
  }
}
