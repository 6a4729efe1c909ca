/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.HashMap;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdbffm.compat.support.FamilyHandles;

/** The names of a database's column families by ID. Contains families of which a handle is or was open. */
final class FamilyNames {
  private FamilyNames() {}

  static Map<Integer, String> of(Guard database) {
    Map<Integer, String> names = new HashMap<>(database.closedFamilies());
    names.put(0, "default");
    for (Guard child : database.children()) {
      if (child.isOfType(ColumnFamilyHandle.class) && !child.isClosing()) {
        names.putAll(ofFamily(child));
      }
    }
    return names;
  }

  static Map<Integer, String> ofFamily(Guard family) {
    Object used = null;
    try {
      used = Guard.use(family, null);
      long pointer = family.pointer();
      return Map.of(FamilyHandles.number(pointer), new String(FamilyHandles.name(pointer), ISO_8859_1));
    } catch (IllegalStateException closed) {
      return Map.of();
    } finally {
      Guard.leave(used);
    }
  }
}
