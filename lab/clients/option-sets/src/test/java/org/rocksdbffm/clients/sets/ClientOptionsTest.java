/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

class ClientOptionsTest {
  @Test
  void everySetNamesMethodsThatRocksdbjniHas() {
    RocksDB.loadLibrary();
    List<ClientOptions> sets = ClientOptions.all();
    assertEquals(94, sets.size());
    assertEquals(94, sets.stream().map(ClientOptions::name).distinct().count());
    for (ClientOptions set : sets) {
      try (OptionSet filled = new OptionSet()) {
        set.fill(filled);
      }
    }
  }

  @Test
  void aMethodAndAnArgumentThatAreMissingFail() {
    RocksDB.loadLibrary();
    for (String line : List.of("  noSuchOption = 1", "  useFsync = 3", "  rowCache = LRUCache(true)")) {
      try (OptionSet filled = new OptionSet()) {
        ClientOptions set = new ClientOptions("wrong", OptionLine.parse(List.of("db", line)));
        assertThrows(AssertionError.class, () -> set.fill(filled), line);
      }
    }
  }
}
