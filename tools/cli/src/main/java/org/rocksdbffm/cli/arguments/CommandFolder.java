/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is deleted when it is closed, and when the process is interrupted. */
public final class CommandFolder implements Closeable {
  private static final int ATTEMPTS = 10;

  private final Path path;
  private final Thread atExit = new Thread(this::delete);

  private CommandFolder(Path path) {
    this.path = path;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Creates an empty folder. */
  public static CommandFolder create() throws IOException {
    return new CommandFolder(Files.createTempDirectory("rocksdb-ffm-cli"));
  }

  /** Creates an empty folder on the same disk as a file, which may be missing. */
  public static CommandFolder beside(Path file) throws IOException {
    return new CommandFolder(Files.createTempDirectory(file.toAbsolutePath().getParent(), "rocksdb-ffm-cli"));
  }

  /** Returns the path. */
  public Path path() {
    return path;
  }

  /** Deletes the folder; retries, because the engine may create files while the process ends. */
  private void delete() {
    for (int i = 0; i < ATTEMPTS && Files.exists(path); i++) {
      try (Stream<Path> all = Files.walk(path)) {
        List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        for (Path each : deepestFirst) {
          Files.deleteIfExists(each);
        }
      } catch (IOException | UncheckedIOException e) {
        continue; // the folder has changed
      }
    }
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      return; // the exiting process also deletes it
    }
  }
}
