/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the cache folder on full, read-only and noexec file systems. Skipped if it cannot mount a file system. */
class LibraryCacheMountTest {
  private static final String ELSEWHERE = "choose a folder elsewhere with -Dorg.rocksdbffm.cache=<folder>.";

  @TempDir Path folder;
  private Path mount;

  @Test
  void aNoexecFileSystemIsNamedWithTheWayOut() throws Exception {
    mount("noexec,size=8m");
    PackedLibrary library = packed(PackedFiles.smallLibrary());
    Path file = cache().provide(library);
    NativeLibraryError error =
        assertThrows(NativeLibraryError.class, () -> SharedLibrary.open(file, "choose another folder"));
    assertTrue(error.getMessage().startsWith("Cannot load the native library " + file + ": "), error::toString);
    assertTrue(
        error.getMessage().endsWith("mounted noexec, or a security policy forbids code there: choose another folder."),
        error::toString);
  }

  @Test
  void aFullDiskIsNamedWithBothSizesAndLeavesNothing() throws Exception {
    mount("size=1m");
    byte[] content = new byte[3_000_000];
    new Random(1).nextBytes(content);
    PackedLibrary library = packed(content);
    NativeLibraryError error = assertThrows(NativeLibraryError.class, () -> cache().provide(library));
    String full = "The disk is full: the library has 3000000 bytes and ";
    assertTrue(error.getMessage().contains(full), error::toString);
    assertTrue(error.getMessage().endsWith(" are free. Free some space, or " + ELSEWHERE), error::toString);
    try (Stream<Path> files = Files.walk(mount)) {
      assertEquals(List.of(), files.filter(Files::isRegularFile).toList());
    }
  }

  @Test
  void aReadOnlyHomeIsNamedWithTheWayOut() throws Exception {
    mount("ro,size=1m");
    PackedLibrary library = packed(new byte[10]);
    NativeLibraryError error = assertThrows(NativeLibraryError.class, () -> cache().provide(library));
    String message = "Cannot keep RocksDB's native library in " + mount.resolve("cache");
    assertTrue(error.getMessage().startsWith(message), error::toString);
    assertTrue(error.getMessage().endsWith("Let this user write the folder, or " + ELSEWHERE), error::toString);
  }

  @Test
  void aReadOnlyFolderThatHasTheLibraryIsEnough() throws Exception {
    mount("size=1m");
    PackedLibrary library = packed(new byte[10]);
    Path file = cache().provide(library);
    assertEquals("", run("mount", "-o", "remount,ro", mount.toString()));
    assertEquals(file, cache().provide(library));
  }

  /** Unmounts lazily: if the dynamic linker fails to map the library's code, it leaves the preceding part mapped. */
  @AfterEach
  void unmount() throws Exception {
    if (mount != null) {
      assertEquals("", run("umount", "-l", mount.toString()));
    }
  }

  private LibraryCache cache() {
    return new LibraryCache(mount.resolve("cache"));
  }

  private PackedLibrary packed(byte[] content) throws IOException {
    Path jar = new PackedFiles().add(PackedFiles.ENGINE, content).writeJar(folder.resolve("native.jar"));
    return PackedFiles.open(jar).library(PackedFiles.ENGINE);
  }

  private void mount(String options) throws Exception {
    Path point = Files.createDirectory(folder.toRealPath().resolve("mount"));
    String refusal = run("mount", "-t", "tmpfs", "-o", "mode=700," + options, "tmpfs", point.toString());
    assumeTrue(refusal.isEmpty(), () -> "These tests need to mount a tmpfs, which this system refuses: " + refusal);
    mount = point;
  }

  /** Runs a command, and returns its exit code and output if it fails, and "" if it does not. */
  private static String run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : "exit " + process.exitValue() + ": " + output;
    } catch (IOException absent) {
      return absent.toString();
    }
  }
}
