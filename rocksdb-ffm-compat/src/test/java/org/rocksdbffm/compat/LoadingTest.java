/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
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

  /** Not where the drop-in comes second: then nothing of it runs, and rocksdbjni does what it always did. */
  @Test
  void aProgramWithBothJarsIsToldWhereTheDropInComesFirst(@TempDir Path folder) throws Exception {
    String both = ChildJvm.classPath() + File.pathSeparator + rocksdbjni();
    String output = ChildJvm.run(folder, both, TwoJarsProgram.class, List.of());
    assertTrue(output.contains("read: value"), output);
    assertTrue(output.contains("remove rocksdbjni where rocksdb-ffm-compat is"), output);
    assertTrue(output.contains("rocksdbjni-11.8.1.jar!/org/rocksdb/RocksDB.class"), output);
    assertFalse(output.lines().anyMatch(line -> line.startsWith("from:") && line.contains("rocksdbjni")), output);
  }

  @Test
  void aProgramWithBothJarsRunsOnWhicheverComesFirst(@TempDir Path folder) throws Exception {
    String both = rocksdbjni() + File.pathSeparator + ChildJvm.classPath();
    String output = ChildJvm.run(folder, both, TwoJarsProgram.class, List.of());
    assertTrue(output.contains("read: value"), output);
    assertTrue(output.lines().anyMatch(line -> line.startsWith("from:") && line.contains("rocksdbjni")), output);
  }

  private static String rocksdbjni() {
    return System.getProperty("rocksdbjni.jar");
  }
}
