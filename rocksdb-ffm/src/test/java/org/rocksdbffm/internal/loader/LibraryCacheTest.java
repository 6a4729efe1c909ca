/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibraryCacheTest {
  private static final int SOMEBODY_ELSE = 12345;

  @TempDir Path folder;
  private final byte[] content = new byte[3_000_000];
  private Path root;
  private PackedLibrary library;

  @BeforeEach
  void pack() throws IOException {
    new Random(1).nextBytes(content);
    Path jar = new PackedFiles().add(PackedFiles.ENGINE, content).writeJar(folder.resolve("native.jar"));
    library = PackedFiles.open(jar).library(PackedFiles.ENGINE);
    root = folder.resolve("cache");
  }

  @Test
  void theLibraryIsWrittenWholeToAFolderNamedByItsDigest() throws IOException {
    Path file = provide();
    assertEquals(root.toRealPath().resolve(PackedFiles.sha256(content)).resolve(PackedFiles.ENGINE), file);
    assertArrayEquals(content, Files.readAllBytes(file));
    assertEquals(List.of(file), files());
  }

  @Test
  void onlyTheUserCanReadOrWriteWhatWasCreated() throws IOException {
    root = folder.resolve("missing/too/cache");
    Path file = provide();
    assertEquals("r-x------", permissions(file));
    for (Path above = file.getParent(); !above.equals(folder.toRealPath()); above = above.getParent()) {
      assertEquals("rwx------", permissions(above), above.toString());
    }
  }

  @Test
  void aFileThatIsThereIsUsedAgain() throws IOException {
    Object written = Files.getAttribute(provide(), "unix:ino");
    assertEquals(written, Files.getAttribute(provide(), "unix:ino"));
  }

  @Test
  void aChangedFileIsNotLoadedAndTheMessageSaysHowToMendIt() throws IOException {
    Path file = provide();
    FileTime written = Files.getLastModifiedTime(file);
    content[1_500_000] ^= 1;
    change(file, content);
    Files.setLastModifiedTime(file, written);
    String message = refusal();
    assertTrue(message.startsWith(file + " was changed after it was written"), message);
    assertTrue(message.endsWith("the next start writes it anew: rm -f '" + file + "'"), message);
    assertTrue(Files.exists(file), "the evidence is kept");
    Files.delete(file);
    assertEquals(file, provide());
  }

  @Test
  void aTruncatedFileIsNotLoaded() throws IOException {
    Path file = provide();
    change(file, new byte[0]);
    assertTrue(refusal().startsWith(file + " was changed after it was written"));
  }

  @Test
  void aDamagedJarIsToldFromAChangedFileAndLeavesNothing() throws IOException {
    String wrong = PackedFiles.sha256(new byte[0]);
    Path jar = new PackedFiles().add(PackedFiles.ENGINE, content, wrong).writeJar(folder.resolve("damaged.jar"));
    library = PackedFiles.open(jar).library(PackedFiles.ENGINE);
    String message = refusal();
    assertTrue(message.startsWith("The native jar is damaged: jar:file:"), message);
    assertTrue(message.endsWith("Delete the jar and have it fetched or built anew."), message);
    assertEquals(List.of(), files());
  }

  @Test
  void aSymbolicLinkIsRefusedAtEveryLevelOfTheCache() throws IOException {
    Path file = provide();
    for (Path level : List.of(file, file.getParent(), file.getParent().getParent())) {
      Path moved = Files.move(level, folder.resolve("moved"));
      Files.createSymbolicLink(level, moved);
      String message = refusal();
      assertTrue(message.contains(level + ": it is a symbolic link. Remove the link, or choose"), message);
      assertTrue(message.endsWith("with -Dorg.rocksdbffm.cache=<folder>."), message);
      Files.delete(level);
      Files.move(moved, level);
    }
    provide();
  }

  @Test
  void aSymbolicLinkAboveTheCacheIsFollowedOnce() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    root = Files.createSymbolicLink(folder.resolve("link"), real).resolve("cache");
    assertTrue(provide().startsWith(real.toRealPath()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
  void whatOthersCanWriteIsRefusedAtEveryLevelOfTheCache(String permissions) throws IOException {
    Path file = provide();
    for (Path level : List.of(file, file.getParent(), file.getParent().getParent())) {
      var before = Files.getPosixFilePermissions(level);
      Files.setPosixFilePermissions(level, PosixFilePermissions.fromString(permissions));
      String message = refusal();
      assertTrue(message.contains(level + ": other users can write it. If nobody has, chmod go-w '"), message);
      Files.setPosixFilePermissions(level, before);
    }
    provide();
  }

  @Test
  void aFolderThatIsSharedByIntentIsRefusedWithoutAdviceToCloseIt() throws IOException {
    Files.setAttribute(Files.createDirectory(root), "unix:mode", 01777);
    String message = refusal();
    assertTrue(message.contains(root.toRealPath() + ": other users can write it. Name a folder of this"), message);
  }

  @Test
  void aFolderThatEveryUserCanReplaceIsRefused() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    root = open.resolve("between/cache");
    String message = refusal();
    assertTrue(message.contains(open.toRealPath() + ": every user can replace what is in it. chmod o-w"), message);
    Files.setAttribute(open, "unix:mode", 01777);
    provide();
  }

  @Test
  void whatBelongsToSomebodyElseIsRefusedAtEveryLevelOfTheCache() throws IOException {
    Path file = provide();
    int user = Posix.effectiveUser();
    assumeTrue(user == 0, "Only root can give files away, and these tests run as user " + user);
    for (Path level : List.of(file, file.getParent(), file.getParent().getParent())) {
      Files.setAttribute(level, "unix:uid", SOMEBODY_ELSE);
      String message = refusal();
      assertTrue(message.contains(level + ": it belongs to user 12345 and this process runs as user 0."), message);
      Files.setAttribute(level, "unix:uid", user);
    }
    provide();
  }

  @Test
  void theCopyOfWhoeverOwnsTheJarIsUsed() throws IOException {
    Path file = provide();
    int user = Posix.effectiveUser();
    assumeTrue(user == 0, "Only root can give files away, and these tests run as user " + user);
    for (Path level : List.of(file, file.getParent(), file.getParent().getParent(), folder.resolve("native.jar"))) {
      Files.setAttribute(level, "unix:uid", SOMEBODY_ELSE);
    }
    assertEquals(file, provide());
    Files.setAttribute(folder.resolve("native.jar"), "unix:uid", SOMEBODY_ELSE + 1);
    assertTrue(refusal().contains("it belongs to user 12345 and this process runs as user 0."));
  }

  @Test
  void aFolderInPlaceOfTheFileIsRefused() throws IOException {
    Path file = provide();
    Files.delete(file);
    Files.createDirectory(file);
    assertTrue(refusal().contains(file + ": it is not a file."));
  }

  @Test
  void eightThreadsGetTheSameWholeFileAndLeaveNothingElse() throws Exception {
    int threads = 8;
    CyclicBarrier start = new CyclicBarrier(threads);
    Callable<Path> provide =
        () -> {
          start.await();
          return provide();
        };
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<Path> file : executor.invokeAll(Collections.nCopies(threads, provide))) {
        assertArrayEquals(content, Files.readAllBytes(file.get()));
        assertEquals(List.of(file.get()), files());
      }
    }
  }

  @Test
  void whoWritesALibrarySweepsAbandonedTemporaryFilesAndNothingElse() throws IOException {
    Path other = Files.createDirectories(provide().resolveSibling("../" + "0".repeat(64))).toRealPath();
    Path abandoned = aged(other.resolve("librocksdb.so.1-2-3.tmp"), LibraryCache.ABANDONED.plusSeconds(5).toSeconds());
    Path written = aged(other.resolve("librocksdb.so.4-5-6.tmp"), LibraryCache.ABANDONED.minusSeconds(60).toSeconds());
    Path foreign = aged(Files.createDirectory(root.resolve("mine")).resolve("libother.tmp"), 1_000_000);
    Path library = aged(other.resolve("librocksdb.so"), 1_000_000);
    provide();
    assertTrue(Files.exists(abandoned)); // a start that finds its library does not wait for the deletion
    Files.delete(provide());
    provide();
    assertFalse(Files.exists(abandoned));
    assertTrue(Stream.of(written, foreign, library).allMatch(Files::exists));
  }

  private Path provide() {
    return new LibraryCache(root).provide(library);
  }

  private String refusal() {
    return assertThrows(NativeLibraryError.class, this::provide).getMessage();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(root.toRealPath())) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void change(Path file, byte[] content) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    Files.write(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-x------"));
  }

  private static Path aged(Path file, long seconds) throws IOException {
    Files.createFile(file);
    return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
  }
}
