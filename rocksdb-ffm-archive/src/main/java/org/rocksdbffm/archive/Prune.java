/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An entry before a deletion of objects.
 *
 * @param firstKept index of the first entry from which on all entries are kept
 * @param bases indexes of older bases that are kept, in ascending order
 * @param condemned names of the objects that are deleted
 */
record Prune(long firstKept, List<Long> bases, Set<String> condemned) {
  void write(DataOutputStream out) throws IOException {
    out.writeLong(firstKept);
    out.writeInt(bases.size());
    for (long base : bases) {
      out.writeLong(base);
    }
    write(out, condemned);
  }

  private static void write(DataOutputStream out, Collection<String> names) throws IOException {
    out.writeInt(names.size());
    for (String name : names) {
      out.writeUTF(name);
    }
  }

  /** Returns the newest prune of a chain that ends with an entry, or null. */
  static Prune newest(Chain chain, Entry.Head end) throws IOException {
    long index = end.kind() == Entry.Kind.PRUNE ? end.index() : end.prune();
    return index == 0 ? null : read(chain.require(index));
  }

  static Prune read(Entry entry) throws IOException {
    try (DataInputStream in = entry.open()) {
      long firstKept = in.readLong();
      List<Long> bases = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        bases.add(in.readLong());
      }
      Set<String> condemned = new LinkedHashSet<>();
      for (int left = in.readInt(); left > 0; left--) {
        condemned.add(in.readUTF());
      }
      return new Prune(firstKept, bases, condemned);
    }
  }
}
