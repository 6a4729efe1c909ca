/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheFoldersTest {
  private static final String OWN = "rocksdb-ffm-" + Posix.effectiveUser();

  @TempDir Path folder;
  private PackedLibrary library;

  @BeforeEach
  void pack() throws IOException {
    Path jar =
        new PackedFiles().add(PackedFiles.STUBS, PackedFiles.smallLibrary()).writeJar(folder.resolve("native.jar"));
    library = PackedFiles.open(jar).library(PackedFiles.STUBS);
  }

  @Test
  void theFoldersAreThoseOfTheUserAndThenTheTemporaryOnes() {
    Map<String, String> home = Map.of("user.home", "/home/me", "java.io.tmpdir", "/t");
    String tmp = "/t/" + OWN;
    String var = "/var/tmp/" + OWN;
    assertEquals(List.of("/home/me/.cache/rocksdb-ffm", tmp, var), paths("linux-x86_64", home, Map.of()));
    assertEquals(
        List.of("/x/rocksdb-ffm", "/home/me/.cache/rocksdb-ffm", tmp, var),
        paths("linux-x86_64", home, Map.of("XDG_CACHE_HOME", "/x")));
    assertEquals(
        List.of("/home/me/.cache/rocksdb-ffm", tmp, var),
        paths("linux-x86_64", home, Map.of("XDG_CACHE_HOME", "relative")));
    assertEquals(
        List.of("/home/me/Library/Caches/rocksdb-ffm", tmp, var),
        paths("osx-aarch_64", home, Map.of("XDG_CACHE_HOME", "/x")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"?", ""})
  void aUserWithoutAHomeHasTheTemporaryFolders(String home) {
    assertEquals(
        List.of("/t/" + OWN, "/var/tmp/" + OWN),
        paths("linux-x86_64", Map.of("user.home", home, "java.io.tmpdir", "/t"), Map.of()));
  }

  @Test
  void aFolderThatSomebodyChoseIsTheOnlyOne() {
    Map<String, String> chosen = Map.of("org.rocksdbffm.cache", "/y", "user.home", "/home/me");
    assertEquals(List.of("/y"), paths("linux-x86_64", chosen, Map.of("XDG_CACHE_HOME", "/x")));
  }

  @Test
  void aFolderThatCannotBeMadeIsPassedOver() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    SharedLibrary opened = open(file.resolve("cache"), folder.resolve("private"));
    assertTrue(opened.file().startsWith(folder.toRealPath().resolve("private")), opened::toString);
  }

  @Test
  void aFolderThatOthersCanWriteIsPassedOverAndLeftAsItIs() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    SharedLibrary opened = open(open, folder.resolve("private"));
    assertTrue(opened.file().startsWith(folder.toRealPath().resolve("private")), opened::toString);
    assertEquals(0, open.toFile().list().length);
  }

  @Test
  void aLibraryThatWasChangedIsNotPassedOver() throws IOException {
    Path first = folder.resolve("first");
    Path file = new LibraryCache(first).provide(library);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    Files.write(file, new byte[10]);
    String message =
        assertThrows(NativeLibraryError.class, () -> open(first, folder.resolve("private"))).getMessage();
    assertTrue(message.contains(" was changed after it was written"), message);
  }

  @Test
  void whereNoFolderWillDoEachIsToldWithItsReasonAndEveryWayOut() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    String message =
        assertThrows(NativeLibraryError.class, () -> open(file.resolve("cache"), link)).getMessage();
    assertTrue(message.startsWith("No folder can keep RocksDB's native library for this user:\n- "), message);
    assertTrue(message.contains("\n- Cannot keep RocksDB's native library in " + file), message);
    assertTrue(message.contains("link: it is a symbolic link"), message);
    for (String way : List.of("-Dorg.rocksdbffm.cache=", "XDG_CACHE_HOME", "chmod -R a+rX", "-Dorg.rocksdbffm.library=")) {
      assertTrue(message.contains(way), message);
    }
  }

  private SharedLibrary open(Path first, Path second) {
    return new CacheFolders(List.of(new LibraryCache(first), new LibraryCache(second))).open(library);
  }

  private static List<String> paths(String platform, Map<String, String> properties, Map<String, String> environment) {
    return CacheFolders.of(new Platform(platform), properties::get, environment::get).caches().stream()
        .map(cache -> cache.path().toString())
        .toList();
  }
}
