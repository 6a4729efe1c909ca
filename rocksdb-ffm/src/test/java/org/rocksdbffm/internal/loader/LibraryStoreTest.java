/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibraryStoreTest {
  @TempDir Path folder;
  private PackedLibrary library;

  @BeforeEach
  void pack() throws IOException {
    Path jar =
        new PackedFiles().add(PackedFiles.STUBS, PackedFiles.smallLibrary()).writeJar(folder.resolve("native.jar"));
    library = PackedFiles.open(jar).library(PackedFiles.STUBS);
  }

  @Test
  void theFolderIsThatOfTheUser() {
    Map<String, String> home = Map.of("user.home", "/home/me");
    Map<String, String> caches = Map.of("XDG_CACHE_HOME", "/x");
    assertEquals("/home/me/.cache/rocksdb-ffm", folder("linux-x86_64", home, Map.of()));
    assertEquals("/x/rocksdb-ffm", folder("linux-x86_64", home, caches));
    assertEquals("/home/me/.cache/rocksdb-ffm", folder("linux-x86_64", home, Map.of("XDG_CACHE_HOME", "relative")));
    assertEquals("/home/me/Library/Caches/rocksdb-ffm", folder("osx-aarch_64", home, caches));
  }

  @Test
  void aFolderThatSomebodyChoseComesFirst() {
    Map<String, String> chosen = Map.of("org.rocksdbffm.cache", "/y", "user.home", "/home/me");
    assertEquals("/y", folder("linux-x86_64", chosen, Map.of("XDG_CACHE_HOME", "/x")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"?", ""})
  void aUserWithoutAHomeHasTheLibraryInMemory(String home) {
    assertInMemory(
        LibraryStore.of(new Platform("linux-x86_64"), Map.of("user.home", home)::get, Map.<String, String>of()::get));
  }

  @Test
  void aFolderThatCannotBeMadeIsPassedOver() throws IOException {
    assertInMemory(LibraryStore.in(Files.createFile(folder.resolve("file")).resolve("cache")));
  }

  @Test
  void aFolderThatOthersCanWriteIsPassedOverAndLeftAsItIs() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertInMemory(LibraryStore.in(open));
    assertInMemory(LibraryStore.in(open.resolve("below")));
    assertEquals(0, open.toFile().list().length);
  }

  @Test
  void everyStoreOfTheProcessHasTheSameFileInMemory() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertEquals(LibraryStore.in(file).open(library).file(), LibraryStore.in(file).open(library).file());
  }

  @Test
  void theFileInMemoryIsTheLibraryAndNobodyCanChangeIt() throws IOException {
    Path file = SealedMemory.provide(library);
    assertArrayEquals(PackedFiles.smallLibrary(), Files.readAllBytes(file));
    try (RandomAccessFile sealed = new RandomAccessFile(file.toFile(), "rw")) {
      assertThrows(IOException.class, () -> sealed.write(1));
      assertThrows(IOException.class, () -> sealed.setLength(0));
    }
  }

  @Test
  void aDamagedJarIsNotLoadedByWayOfMemoryAndLeavesNoDescriptor() throws IOException {
    String wrong = PackedFiles.sha256(new byte[0]);
    Path jar =
        new PackedFiles().add(PackedFiles.ENGINE, new byte[10], wrong).writeJar(folder.resolve("damaged.jar"));
    PackedLibrary damaged = PackedFiles.open(jar).library(PackedFiles.ENGINE);
    for (int i = 0; i < 2; i++) {
      String message = assertThrows(NativeLibraryError.class, () -> SealedMemory.provide(damaged)).getMessage();
      assertTrue(message.startsWith("The native jar is damaged: jar:file:"), message);
    }
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      assertEquals(0, open.filter(each -> isDamagedOne(each)).count());
    }
  }

  @Test
  void aLibraryThatWasChangedIsNotPassedOver() throws IOException {
    Path first = folder.resolve("first");
    Path file = new LibraryCache(first).provide(library);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    Files.write(file, new byte[10]);
    String message =
        assertThrows(NativeLibraryError.class, () -> LibraryStore.in(first).open(library)).getMessage();
    assertTrue(message.contains(" was changed after it was written"), message);
  }

  private void assertInMemory(LibraryStore store) {
    SharedLibrary opened = store.open(library);
    assertTrue(opened.file().startsWith("/proc/self/fd"), opened::toString);
  }

  private static boolean isDamagedOne(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains(PackedFiles.ENGINE + "-");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  private static String folder(String platform, Map<String, String> properties, Map<String, String> environment) {
    return LibraryStore.of(new Platform(platform), properties::get, environment::get).folder().path().toString();
  }
}
