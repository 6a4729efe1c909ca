/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.membership;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.Lifecycle;
import org.rocksdbffm.compat.support.FamilyHandles;

/** The names of a database's column families by ID, for families whose handle the program has or had open. */
public final class FamilyNames {
  /** The names of closed families, by the guards of their databases. */
  private static final Map<Guard, Map<Integer, String>> CLOSED = Collections.synchronizedMap(new WeakHashMap<>());

  private FamilyNames() {}

  /** Stores the name of a family when the program closes the handle. */
  private record Remembered(Guard family) implements Lifecycle {
    @Override
    public void closing() {
      Guard database = family.database();
      if (database != null) {
        CLOSED.computeIfAbsent(database, ignored -> new ConcurrentHashMap<>()).putAll(ofFamily(family));
      }
    }
  }

  /** Registers a new handle, so that the family's name stays known after the close of the handle. */
  public static void remember(Guard family) {
    family.lives(new Remembered(family));
  }

  static Map<Integer, String> of(Guard database) {
    Map<Integer, String> names = new HashMap<>(CLOSED.getOrDefault(database, Map.of()));
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
