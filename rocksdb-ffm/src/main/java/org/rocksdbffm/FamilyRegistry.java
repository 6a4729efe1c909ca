/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.ingest.NativeExport;
import org.rocksdbffm.internal.settings.MemoryShare;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.upkeep.FamilyChanges;

/** The column families of an open database by name. Thread-safe; families are created one at a time. */
final class FamilyRegistry {
  private final DatabaseParts opened;
  private final Database database;
  private final Map<String, ColumnFamily> families = new ConcurrentHashMap<>();

  FamilyRegistry(DatabaseParts opened) {
    this.opened = opened;
    this.database = opened.database;
    for (NativeFamily family : opened.families) {
      publish(family);
    }
  }

  private ColumnFamily publish(NativeFamily family) {
    ColumnFamily columnFamily = new ColumnFamily(family, opened.readDefaults, opened.writeDefaults);
    families.put(family.name(), columnFamily);
    return columnFamily;
  }

  ColumnFamily named(String name) {
    ColumnFamily family = families.get(requireNonNull(name, "name"));
    if (family == null) {
      throw new IllegalArgumentException(
          "name: " + database.handle() + " has no column family '" + name + "'; it has " + families.keySet());
    }
    return family;
  }

  List<ColumnFamily> all() {
    return List.copyOf(families.values());
  }

  List<NativeFamily> natives() {
    return families.values().stream().map(ColumnFamily::nativeFamily).toList();
  }

  ColumnFamily create(String name, FamilyOptions options) {
    Views.familyName("name", requireNonNull(name, "name"));
    return create(List.of(name), requireNonNull(options, "options")).getFirst();
  }

  /** Publishes created families even if the engine fails, because it may fail to write their options only. */
  private List<ColumnFamily> create(List<String> names, FamilyOptions options) {
    List<NativeFamily> made = new ArrayList<>();
    List<ColumnFamily> published = new ArrayList<>();
    try (NativeOptions nativeOptions = toNative(options)) {
      synchronized (families) {
        try {
          FamilyChanges.create(database, names, nativeOptions, made);
        } finally {
          made.forEach(family -> published.add(publish(family)));
        }
      }
    }
    return published;
  }

  /** Creates families in the order of the map; those with equal options in one engine call. */
  List<ColumnFamily> createAll(Map<String, FamilyOptions> wanted) {
    Map<FamilyOptions, List<String>> alike = new LinkedHashMap<>();
    Map<String, ColumnFamily> created = new LinkedHashMap<>();
    for (var family : requireNonNull(wanted, "families").entrySet()) {
      String name = requireNonNull(family.getKey(), "families: a name is null");
      Views.familyName("families", name);
      FamilyOptions familyOptions =
          requireNonNull(family.getValue(), () -> "families: the options of " + name + " are null");
      alike.computeIfAbsent(familyOptions, options -> new ArrayList<>()).add(name);
      created.put(name, null);
    }
    database.requireOpen();
    alike.forEach((options, names) -> create(names, options).forEach(made -> created.put(made.name(), made)));
    return List.copyOf(created.values());
  }

  ColumnFamily namedOrCreated(String name, FamilyOptions options) {
    requireNonNull(options, "options");
    synchronized (families) {
      ColumnFamily family = families.get(requireNonNull(name, "name"));
      return family == null ? create(name, options) : family;
    }
  }

  ColumnFamily imported(String name, FamilyOptions options, NativeExport export, boolean move) {
    Views.familyName("name", requireNonNull(name, "name"));
    try (NativeOptions nativeOptions = toNative(requireNonNull(options, "options"))) {
      synchronized (families) {
        return publish(export.importInto(database, name, nativeOptions, move));
      }
    }
  }

  private NativeOptions toNative(FamilyOptions options) {
    MemoryShare memory = database.shareMemory();
    try {
      return options.toNative(database.kind(), memory);
    } finally {
      if (memory != null) {
        memory.release();
      }
    }
  }

  void drop(ColumnFamily family) {
    requireNonNull(family, "family").sourceOf(database, "family");
    FamilyChanges.drop(family.nativeFamily());
    families.remove(family.name(), family);
  }
}
