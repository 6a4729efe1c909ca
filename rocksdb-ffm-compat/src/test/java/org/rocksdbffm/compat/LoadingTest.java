/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

class LoadingTest {
  @Test
  void theVersionIsTheEngines() {
    RocksDB.loadLibrary();
    assertEquals("11.8.1", RocksDB.rocksdbVersion().toString());
  }

  @Test
  void aSecondCopyOfTheClassesIsFoundAndNamed(@TempDir Path folder) throws Exception {
    assertEquals(1, Loading.copies(RocksDB.class.getClassLoader()).size());
    Path copy = folder.resolve("org/rocksdb/RocksDB.class");
    Files.createDirectories(copy.getParent());
    Files.writeString(copy, "");
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, RocksDB.class.getClassLoader())) {
      List<URL> copies = Loading.copies(loader);
      assertEquals(2, copies.size());
      assertTrue(Loading.warning(copies).contains(copy.toUri().toURL().getPath()), Loading.warning(copies));
    }
  }
}
