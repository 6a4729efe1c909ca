/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.RocksDb;

/** The model of the database in a folder: its column families and their rows. */
public final class Store {
  public final Path folder;
  final int clients;
  public volatile boolean hasUnloggedWrites;
  public final Map<String, FamilyModel> families = new ConcurrentHashMap<>();

  Store(Path folder, int clients) {
    this.folder = folder;
    this.clients = clients;
    family(RocksDb.DEFAULT_COLUMN_FAMILY).state = FamilyModel.State.THERE;
  }

  public FamilyModel family(String name) {
    return families.computeIfAbsent(name, ignored -> new FamilyModel(name, clients));
  }
}
