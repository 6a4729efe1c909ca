/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.HashMap;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/** The names of a database's column families by their numbers, as far as handles of them are open or were. */
final class FamilyNames {
  private FamilyNames() {}

  static Map<Integer, String> of(Guard database) {
    Map<Integer, String> names = new HashMap<>(database.closedFamilies());
    names.put(0, "default");
    for (Object child : database.children()) {
      if (child instanceof ColumnFamilyHandle family && !UpstreamFields.guard(family).isClosing()) {
        names.putAll(of(family));
      }
    }
    return names;
  }

  static Map<Integer, String> of(ColumnFamilyHandle family) {
    try {
      return Map.of(family.getID(), new String(family.getName(), ISO_8859_1));
    } catch (RocksDBException | IllegalStateException closed) {
      return Map.of();
    }
  }
}
