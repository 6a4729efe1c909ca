/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.tools.ChildJvm;

/** Tests a first use of the library that fails, each time in a JVM of its own. */
class NativeLibraryFailureTest {
  private static final String ERROR = NativeLibraryError.class.getName() + ": ";

  @TempDir Path folder;
  private ChildJvm child;

  @BeforeEach
  void packSmallLibraries() throws IOException {
    byte[] small = PackedFiles.smallLibrary();
    Path packed =
        new PackedFiles()
            .add(PackedFiles.ENGINE, small)
            .add(PackedFiles.STUBS, small)
            .writeJar(folder.resolve("native.jar"));
    child =
        ChildJvm.of(UseTwice.class)
            .withClassPath(packed)
            .with("-Dorg.rocksdbffm.cache=" + folder.resolve("cache"));
  }

  @Test
  void everyLaterUseFailsWithTheReasonOfTheFirst() {
    Path missing = folder.resolve("none.so");
    String asked = " (asked for by -Dorg.rocksdbffm.library). Name a file that exists.";
    String message = "There is no library " + missing + asked;
    List<String> lines = linesOf(child.with("-Dorg.rocksdbffm.library=" + missing));
    assertEquals(List.of("load: " + ERROR + message, "engine: " + ERROR + message), lines);
  }

  @Test
  void anUnexpectedFailureIsKeptToo() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    List<String> lines = linesOf(child.with("-Dorg.rocksdbffm.cache=" + file.resolve("cache")));
    assertEquals(2, lines.size());
    String message = "load: " + ERROR + "Cannot keep RocksDB's native library in " + file;
    assertTrue(lines.get(0).startsWith(message), lines::toString);
    assertEquals(lines.get(0).replace("load: ", "engine: "), lines.get(1));
  }

  @Test
  void aJvmThatForbidsNativeAccessIsToldTheFlag() {
    List<String> lines =
        linesOf(child.without("--enable-native-access=ALL-UNNAMED").with("--illegal-native-access=deny"));
    String flag = "Start it with --enable-native-access=ALL-UNNAMED";
    String message = ERROR + "This JVM forbids native access to RocksDB. " + flag;
    assertEquals(List.of("load: " + message, "engine: " + message), lines);
  }

  @Test
  void stubsOfAnotherContractAreRefused() {
    List<String> lines =
        ChildJvm.of(RequireAbi.class)
            .withClassPath(folder.resolve("native.jar"))
            .with("-Dorg.rocksdbffm.cache=" + folder.resolve("cache"))
            .run()
            .assertExit(0)
            .output()
            .lines()
            .toList();
    assertEquals(1, lines.size(), lines::toString);
    String versions = " follow version 2 of their contract and this rocksdb-ffm needs version 1.";
    assertTrue(lines.get(0).contains(PackedFiles.STUBS + versions), lines::toString);
    assertTrue(lines.get(0).endsWith("Use rocksdb-ffm and rocksdb-ffm-native of one version."), lines::toString);
  }

  private static List<String> linesOf(ChildJvm child) {
    return child.run().assertExit(0).output().lines().toList();
  }

  /** Prints how the first use ends, and how the second. */
  static final class UseTwice {
    public static void main(String[] arguments) {
      print("load", NativeLibrary::load);
      print("engine", NativeLibrary::engine);
    }

    private static void print(String use, Runnable action) {
      try {
        action.run();
        System.out.println(use + ": done");
      } catch (Throwable e) {
        System.out.println(use + ": " + e);
      }
    }
  }

  /** Prints why stubs are refused that say to follow version 2. */
  static final class RequireAbi {
    public static void main(String[] arguments) {
      if (!NativeLibrary.hasAbi(1)) {
        System.out.println(NativeLibrary.otherAbi(1, 2).getMessage());
      }
    }
  }
}
