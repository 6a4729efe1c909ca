/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.ChildJvm;

/** Tests failures of the first use of the library, each in a separate JVM. */
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
  void everyUseThatFailsNamesTheReason() {
    Path missing = folder.resolve("none.so");
    String asked = " (asked for by -Dorg.rocksdbffm.library). Name a file that exists.";
    String message = "There is no library " + missing + asked;
    List<String> lines = linesOf(child.with("-Dorg.rocksdbffm.library=" + missing));
    assertEquals(List.of("load: " + ERROR + message, "engine: " + ERROR + message), lines);
  }

  @Test
  void afterAFirstUseThatFailedEveryDoorOpensWhereTheReasonIsGone() {
    Path engine = folder.resolve("late.so");
    List<String> lines =
        ChildJvm.of(OpenTwice.class)
            .with("-Dorg.rocksdbffm.library=" + engine)
            .run(engine.toString(), NativeLibrary.engine().toString(), folder.resolve("data").toString())
            .assertExit(0)
            .output()
            .lines()
            .toList();
    assertEquals(List.of("failed 6", "opened 6"), lines);
  }

  @Test
  void theCxxStubsRefuseAnotherEngineThanThePackedOne() {
    String output =
        ChildJvm.of(UseCxx.class).with("-Dorg.rocksdbffm.library=" + NativeLibrary.engine()).run().assertExit(0)
            .output();
    assertEquals(
        ERROR
            + "Encryption, entities and resuming need the C++ stubs, which are missing here: they call C++ classes of "
            + "the"
            + " packed engine. Remove -Dorg.rocksdbffm.library.\n",
        output);
  }

  static final class UseCxx {
    public static void main(String[] arguments) {
      try {
        NativeLibrary.find("rocksdb_ffm_cxx_resume");
      } catch (NativeLibraryError e) {
        System.out.println(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty", "filled", "memory"})
  void anInterruptedThreadOpensTheLibraryAndStaysInterrupted(String cache) throws IOException {
    Path place = folder.resolve("place");
    if (cache.equals("filled")) {
      ChildJvm.of(Interrupted.class).with("-Dorg.rocksdbffm.cache=" + place).run(folder.resolve("0").toString())
          .assertExit(0);
    } else if (cache.equals("memory")) {
      Files.createFile(place);
    }
    String output =
        ChildJvm.of(Interrupted.class)
            .with("-Dorg.rocksdbffm.cache=" + place)
            .run(folder.resolve("1").toString())
            .assertExit(0)
            .output();
    assertTrue(output.endsWith("opened, interrupted: true\n"), output);
    String message = "INFO: RocksDB's native library is kept in memory, which each process of this user pays for";
    assertEquals(cache.equals("memory"), output.contains(message), output);
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

  /** Opens a database on a thread that is interrupted. */
  static final class Interrupted {
    public static void main(String[] arguments) {
      Thread.currentThread().interrupt();
      try (RocksDb db = RocksDb.open(Path.of(arguments[0]))) {
        System.out.println("opened, interrupted: " + Thread.currentThread().isInterrupted());
      }
    }
  }

  /**
   * Calls each method that may be the first use of the library, while the engine's file is missing and when it exists.
   */
  static final class OpenTwice {
    public static void main(String[] arguments) throws IOException {
      Path data = Path.of(arguments[2]);
      List<Callable<AutoCloseable>> doors =
          List.of(
              () -> RocksDb.open(data.resolve("db")),
              () -> Backups.open(data.resolve("backups")),
              () -> BlockCache.lru(ByteSize.mib(1)),
              () -> RateLimiter.of(ByteSize.mib(1)),
              () -> MemoryBudget.of(ByteSize.mib(8)),
              () -> TableWriter.create(Files.createDirectories(data).resolve("rows.sst"), FamilyOptions.defaults()));
      System.out.println("failed " + doors.stream().filter(door -> !opens(door)).count());
      Files.copy(Path.of(arguments[1]), Path.of(arguments[0]));
      System.out.println("opened " + doors.stream().filter(OpenTwice::opens).count());
    }

    private static boolean opens(Callable<AutoCloseable> door) {
      try {
        door.call().close();
        return true;
      } catch (NativeLibraryError e) {
        return false;
      } catch (Throwable e) {
        throw new AssertionError("not as it should fail", e);
      }
    }
  }

  /** Prints the results of the first and of the second use. */
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

  /** Prints the message for stubs with ABI version 2. */
  static final class RequireAbi {
    public static void main(String[] arguments) {
      if (!NativeLibrary.hasAbi(1)) {
        System.out.println(NativeLibrary.otherAbi(1, 2).getMessage());
      }
    }
  }
}
