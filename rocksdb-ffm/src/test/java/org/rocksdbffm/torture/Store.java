/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.RocksDb;

/** What the database in a folder must contain. */
final class Store {
  final Path folder;
  final int clients;
  volatile boolean hasUnloggedWrites;
  final Map<String, FamilyModel> families = new ConcurrentHashMap<>();

  Store(Path folder, int clients) {
    this.folder = folder;
    this.clients = clients;
    family(RocksDb.DEFAULT_COLUMN_FAMILY).state = FamilyModel.State.THERE;
  }

  FamilyModel family(String name) {
    return families.computeIfAbsent(name, ignored -> new FamilyModel(name, clients));
  }
}
