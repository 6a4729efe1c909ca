/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdbffm.RocksDb;

/** A database with a large row, shared by the races of a JVM that do not close it; folders for other races. */
final class RacedDatabases {
  static final byte[] KEY = {1};
  static final int SIZE = 5000;
  private static final Path ROOT = newRoot();
  static final RocksDb SHARED = open(newFolder());

  private RacedDatabases() {}

  private static Path newRoot() {
    try {
      Path memory = Path.of("/dev/shm");
      Path root =
          Files.isWritable(memory) ? Files.createTempDirectory(memory, "race") : Files.createTempDirectory("race");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root)));
      return root;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a folder that is deleted when the JVM exits. */
  static Path newFolder() {
    try {
      return Files.createTempDirectory(ROOT, "race");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RocksDb open(Path folder) {
    RocksDb db = RocksDb.open(folder.resolve("db"));
    db.put(KEY, new byte[SIZE]);
    return db;
  }

  /** Returns 1 if the call succeeds, 2 if it throws that an object is closed or released, -1 for other exceptions. */
  static int outcome(Runnable use) {
    try {
      use.run();
      return 1;
    } catch (IllegalStateException e) {
      return e.getMessage().matches("(?s).* is (closed|released).*") ? 2 : -1;
    }
  }

  static void require(boolean condition) {
    if (!condition) {
      throw new AssertionError("a wrong answer");
    }
  }
}
