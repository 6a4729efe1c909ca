/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.rocksdbffm.KeyWriter;

/**
 * A write of one key, to a database and to a map.
 *
 * @param value null for a deletion
 * @param merged whether the value is an operand of the merge operator
 */
record Write(byte[] key, byte[] value, boolean merged) {
  void to(KeyWriter writer) {
    if (value == null) {
      writer.delete(key);
    } else if (merged) {
      writer.merge(key, value);
    } else {
      writer.put(key, value);
    }
  }

  /** Returns the rows after the writes. */
  static TreeMap<byte[], byte[]> above(NavigableMap<byte[], byte[]> rows, List<Write> writes) {
    TreeMap<byte[], byte[]> changed = new TreeMap<>(rows);
    writes.forEach(write -> write.to(changed));
    return changed;
  }

  private void to(NavigableMap<byte[], byte[]> rows) {
    if (value == null) {
      rows.remove(key);
    } else {
      rows.merge(key, value, (old, added) -> merged ? append(old, added) : added);
    }
  }

  /** Appends an operand to a value, as the merge operators of the cases do. */
  static byte[] append(byte[] old, byte[] added) {
    byte[] all = Arrays.copyOf(old, old.length + 1 + added.length);
    all[old.length] = ',';
    System.arraycopy(added, 0, all, old.length + 1, added.length);
    return all;
  }

  @Override
  public String toString() {
    String of = value == null ? "" : " " + value.length + " bytes";
    return (value == null ? "delete " : merged ? "merge " : "put ") + Keys.hex(key) + of;
  }
}
