/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.tools.ChildJvm;

/** Tests the real engine and stubs, from the native jar on the class path. */
class NativeLibraryTest {
  @TempDir Path folder;

  @Test
  void symbolsOfTheStubsAndOfTheEngineAreFound() throws Throwable {
    assertNotEquals(MemorySegment.NULL, NativeLibrary.find("rocksdb_open"));
    assertTrue(NativeLibrary.hasAbi(RocksDbC.ROCKSDB_FFM_ABI()));
    assertFalse(NativeLibrary.hasAbi(RocksDbC.ROCKSDB_FFM_ABI() + 1));
    assertEquals(RocksDbC.ROCKSDB_FFM_ABI(),
        (int) function("rocksdb_ffm_abi", FunctionDescriptor.of(ValueLayout.JAVA_INT)).invoke());
    NativeLibraryError error =
        assertThrows(NativeLibraryError.class, () -> NativeLibrary.find("rocksdb_ffm_no_such"));
    assertTrue(error.getMessage().startsWith("There is no symbol rocksdb_ffm_no_such in "), error::toString);
    assertTrue(error.getMessage().contains(PackedFiles.STUBS), error::toString);
  }

  @Test
  void theEngineIsTheFileOfTheCacheFolder() {
    assertEquals(PackedFiles.ENGINE, NativeLibrary.engine().getFileName().toString());
    assertTrue(Sha256.isText(NativeLibrary.engine().getParent().getFileName().toString()));
    assertSame(NativeLibrary.engine(), NativeLibrary.engine());
  }

  @Test
  void aChosenEngineIsLoadedFromWhereItIs() throws IOException {
    Path chosen = Files.copy(NativeLibrary.engine(), folder.resolve("chosen.so"));
    ChildJvm child = inFreshCache(PrintEngine.class).with("-Dorg.rocksdbffm.library=" + chosen);
    assertEquals(chosen.toString(), child.run().assertExit(0).output().trim());
  }

  @Test
  void threadsThatAreFirstTogetherGetOneLibrary() {
    assertEquals("1 address", inFreshCache(UseFromManyThreads.class).run().assertExit(0).output().trim());
  }

  @Test
  void twoClassLoadersOfOneJvmBothLoad() {
    assertEquals("both work", inFreshCache(UseFromTwoClassLoaders.class).run().assertExit(0).output().trim());
  }

  /** The engine knows by static variables which databases the process has open. */
  @Test
  void twoClassLoadersOfOneJvmShareTheEngineInMemory() {
    String output =
        ChildJvm.of(UseFromTwoClassLoaders.class)
            .with("-Dorg.rocksdbffm.cache=/dev/null/none")
            .run()
            .assertExit(0)
            .output();
    assertTrue(output.contains(" is kept in memory"), output);
    assertTrue(output.endsWith("both work\n"), output);
  }

  @Test
  void theEngineRunsBesideTheOneOfRocksdbjni() {
    assertEquals("both work", inFreshCache(UseBesideRocksdbjni.class).run().assertExit(0).output().trim());
  }

  private ChildJvm inFreshCache(Class<?> main) {
    return ChildJvm.of(main).with("-Dorg.rocksdbffm.cache=" + folder.resolve("cache"));
  }

  static final class PrintEngine {
    public static void main(String[] arguments) {
      System.out.println(NativeLibrary.engine());
    }
  }

  static final class UseFromManyThreads {
    public static void main(String[] arguments) throws InterruptedException {
      Set<MemorySegment> addresses = ConcurrentHashMap.newKeySet();
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads =
          IntStream.range(0, 8)
              .mapToObj(
                  i ->
                      Thread.ofVirtual()
                          .start(
                              () -> {
                                await(start);
                                addresses.add(NativeLibrary.find("rocksdb_open"));
                              }))
              .toList();
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(addresses.size() + " address");
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static final class UseFromTwoClassLoaders {
    public static void main(String[] arguments) throws Exception {
      URL[] classPath = urls(System.getProperty("java.class.path"));
      Class<?> first = load(classPath);
      Class<?> second = load(classPath);
      Object one = first.getMethod("engine").invoke(null);
      Object other = second.getMethod("engine").invoke(null);
      System.out.println(first != second && one.equals(other) ? "both work" : one + " " + other);
    }

    private static Class<?> load(URL[] classPath) throws ClassNotFoundException {
      return new URLClassLoader(classPath, null).loadClass(NativeLibrary.class.getName());
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
      String[] entries = classPath.split(":");
      URL[] urls = new URL[entries.length];
      for (int i = 0; i < entries.length; i++) {
        urls[i] = Path.of(entries[i]).toUri().toURL();
      }
      return urls;
    }
  }

  /** Opens a database with each engine, both at the same time. */
  static final class UseBesideRocksdbjni {
    public static void main(String[] arguments) throws Throwable {
      RocksDB.loadLibrary();
      try (RocksDB jni = RocksDB.open(Path.of("jni").toAbsolutePath().toString());
          Arena arena = Arena.ofConfined()) {
        MemorySegment options =
            (MemorySegment) function("rocksdb_options_create", FunctionDescriptor.of(ValueLayout.ADDRESS)).invoke();
        function(
                "rocksdb_options_set_create_if_missing",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_BYTE))
            .invoke(options, (byte) 1);
        MemorySegment db = open(options, arena);
        jni.put(bytes("key"), bytes("value"));
        boolean works = new String(jni.get(bytes("key")), StandardCharsets.UTF_8).equals("value");
        function("rocksdb_close", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS)).invoke(db);
        function("rocksdb_options_destroy", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS)).invoke(options);
        System.out.println(works ? "both work" : "the JNI engine lost the value");
      }
    }

    private static MemorySegment open(MemorySegment options, Arena arena) throws Throwable {
      FunctionDescriptor descriptor =
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
      MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment path = arena.allocateFrom(Path.of("ffm").toAbsolutePath().toString());
      MemorySegment db = (MemorySegment) function("rocksdb_open", descriptor).invoke(options, path, error);
      MemorySegment message = error.get(ValueLayout.ADDRESS, 0);
      assertEquals(MemorySegment.NULL, message, "rocksdb_open failed");
      return db;
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(NativeLibrary.find(name), descriptor);
  }
}
