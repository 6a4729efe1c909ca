/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.tools.ChildJvm;

/** Tests the cache folder between processes. */
class LibraryCacheProcessTest {
  private static final int KILLED = 137;

  @TempDir Path folder;
  private final byte[] content = new byte[3_000_000];
  private Path jar;
  private Path cache;

  @BeforeEach
  void pack() throws IOException {
    new Random(1).nextBytes(content);
    jar = new PackedFiles().add(PackedFiles.ENGINE, content).writeJar(folder.resolve("native.jar"));
    cache = folder.resolve("cache");
  }

  @Test
  void fourProcessesGetTheSameWholeFileAndLeaveNothingElse() throws IOException {
    long start = System.currentTimeMillis() + 1500;
    List<ChildJvm.Running> children = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        children.add(ChildJvm.of(Provide.class).start(jar.toString(), cache.toString(), Long.toString(start)));
      }
      for (ChildJvm.Running child : children) {
        String output = child.await().assertExit(0).output().trim();
        assertEquals(libraryFile().toString(), output);
      }
    } finally {
      children.forEach(ChildJvm.Running::close);
    }
    assertEquals(List.of(libraryFile()), files());
    assertArrayEquals(content, Files.readAllBytes(libraryFile()));
  }

  @Test
  void whatAKilledProcessLeftIsNeverLoadedAndIsSweptByALaterWriter() throws IOException {
    ChildJvm.of(ProvideUntilKilled.class).run(jar.toString(), cache.toString()).assertExit(KILLED);
    Path left = files().getFirst();
    assertTrue(left.toString().endsWith(".tmp") && Files.size(left) > 0, left.toString());

    String again = ChildJvm.of(Provide.class).run(jar.toString(), cache.toString(), "0").assertExit(0).output().trim();
    assertEquals(libraryFile().toString(), again);
    assertArrayEquals(content, Files.readAllBytes(libraryFile()));
    assertTrue(Files.exists(left), "it may still be written");

    Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(LibraryCache.ABANDONED).minusSeconds(5)));
    Files.delete(libraryFile());
    ChildJvm.of(Provide.class).run(jar.toString(), cache.toString(), "0").assertExit(0);
    assertEquals(List.of(libraryFile()), files());
  }

  /** Waits until the given time, so that all processes start together, and prints the library file. */
  static final class Provide {
    public static void main(String[] arguments) throws Exception {
      PackedLibrary library = PackedFiles.open(Path.of(arguments[0])).library(PackedFiles.ENGINE);
      Thread.sleep(Math.max(0, Long.parseLong(arguments[2]) - System.currentTimeMillis()));
      System.out.println(new LibraryCache(Path.of(arguments[1])).provide(library));
    }
  }

  /** Is killed when a part of the library is written. */
  static final class ProvideUntilKilled {
    public static void main(String[] arguments) throws Exception {
      PackedLibrary library = PackedFiles.open(Path.of(arguments[0])).library(PackedFiles.ENGINE);
      URL deadly = URL.of(library.url().toURI(), new DeadlyHandler());
      new LibraryCache(Path.of(arguments[1]))
          .provide(new PackedLibrary(library.fileName(), library.sha256(), library.crc(), deadly));
    }
  }

  /** Reads a jar as the JDK does, and ends the process when half of the content was read. */
  private static final class DeadlyHandler extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      InputStream packed = URI.create(url.toString()).toURL().openStream();
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new Deadly(packed);
        }
      };
    }
  }

  private static final class Deadly extends FilterInputStream {
    private int left = 1_500_000;

    private Deadly(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int size = super.read(bytes, offset, length);
      left -= size;
      if (left < 0) {
        Runtime.getRuntime().halt(KILLED);
      }
      return size;
    }
  }

  private Path libraryFile() throws IOException {
    return cache.toRealPath().resolve(PackedFiles.sha256(content)).resolve(PackedFiles.ENGINE);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(cache.toRealPath())) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
