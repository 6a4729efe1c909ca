/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.rocksdbffm.compat.database.Databases;
import org.rocksdbffm.compat.tools.ChildJvm;
import org.rocksdbffm.internal.loader.NativeLibrary;

class LoadingTest {
  @Test
  void theVersionIsTheEngines() {
    RocksDB.loadLibrary();
    assertEquals("11.8.1", RocksDB.rocksdbVersion().toString());
  }

  @Test
  void anInterruptedThreadLoadsTheLibraryAndStaysInterrupted(@TempDir Path folder) throws Exception {
    String cache = "-Dorg.rocksdbffm.cache=" + folder.resolve("cache");
    assertEquals("opened, interrupted: true\n", ChildJvm.run(folder, FirstUseProgram.class, List.of(cache)));
    assertEquals("opened, interrupted: true\n", ChildJvm.run(folder, FirstUseProgram.class, List.of(cache)));
  }

  @Test
  void afterAFirstUseThatFailedALaterOneLoadsTheLibrary(@TempDir Path folder) throws Exception {
    String engine = folder.resolve("late.so").toString();
    String output =
        ChildJvm.run(
            folder,
            FirstUseProgram.class,
            List.of("-Dorg.rocksdbffm.library=" + engine),
            engine,
            NativeLibrary.engine().toString());
    assertEquals("failed: 3\nopened, interrupted: true\n", output);
  }

  /** docs/compat-gaps.md describes the same behaviour. */
  @Test
  void usesThatUpstreamIsSilentAboutEndAsWritten(@TempDir Path folder, @TempDir Path fork) throws Exception {
    String common = "jobs 3\nbuffer 1048576\nopen NullPointerException\nclosed IllegalStateException\n";
    assertEquals(common + "empty files 1\ncopy 1\n", ChildJvm.run(folder, UnsaidProgram.class, List.of()));

    Path filter = fork.resolve("org/rocksdb/FlinkCompactionFilter.class");
    Files.createDirectories(filter.getParent());
    Files.createFile(filter);
    String path = ChildJvm.classPath() + File.pathSeparator + fork;
    Path other = Files.createDirectory(folder.resolve("fork"));
    assertEquals(common + "empty files 0\ncopy 1\n", ChildJvm.run(other, path, UnsaidProgram.class, List.of()));
  }

  @Test
  void noProcessIsStartedToFindOutWhichCLibraryThereIs(@TempDir Path folder) throws Exception {
    String output = ChildJvm.run(folder, StartsProgram.class, List.of());
    assertTrue(output.endsWith("started: []\n"), output);
  }

  @Test
  void aCloseThatTellsNoErrorsMakesNoEnvironmentForThem(@TempDir Path folder) throws Exception {
    String output = ChildJvm.run(folder, ClosesProgram.class, List.of("-Xlog:class+load:file=classes.txt"));
    assertEquals("kept: key\n", output);
    String classes = Files.readString(folder.resolve("classes.txt"));
    assertTrue(classes.contains(Databases.class.getName()), classes);
    assertFalse(classes.contains(JniFunctions.class.getName()), classes);
  }

  @Test
  void theCLibraryIsTheProcesssUnlessTheUserSaysWhichOne() throws Exception {
    Field word = Environment.class.getDeclaredField("MUSL_ENVIRONMENT");
    word.setAccessible(true);
    Object before = word.get(null);
    try {
      word.set(null, "True");
      assertTrue(Loading.isMusl());
      word.set(null, "false");
      assertFalse(Loading.isMusl());
      word.set(null, "perhaps");
      assertEquals(NativeLibrary.isMusl(), Loading.isMusl());
    } finally {
      word.set(null, before);
    }
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

  /** Only if the drop-in is first on the class path: otherwise only rocksdbjni runs, unchanged. */
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
