/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A library in a file of Linux's that lies in memory and has no name, so that nobody else can reach it, in no folder. It
 * is sealed against changes before it is opened, through the descriptor that this process has of it.
 *
 * <p>The descriptor stays open: all class loaders of the JVM open this one file, and so have one engine. The dynamic
 * linker would also take another file with its number for this one.
 */
final class SealedMemory {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private SealedMemory() {}

  /** The library as a file that may be loaded. */
  static Path provide(PackedLibrary library) {
    String name = library.fileName() + "-" + library.sha256();
    synchronized (Runtime.getRuntime()) { // which is one for all class loaders
      try {
        Path sealed = sealed(name);
        return sealed == null ? write(library, name) : sealed;
      } catch (IOException e) {
        throw NativeLibraryError.ofPlace("Cannot keep RocksDB's native library in memory: " + e + ".", e);
      }
    }
  }

  /** The file that another class loader made, or null. */
  private static Path sealed(String name) throws IOException {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        if (target(descriptor).equals("/memfd:" + name + " (deleted)")) {
          return descriptor;
        }
      }
      return null;
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }

  private static Path write(PackedLibrary library, String name) throws IOException {
    int descriptor = Posix.createMemoryFile(name);
    boolean sealed = false;
    try {
      Path file = DESCRIPTORS.resolve(Integer.toString(descriptor));
      try (OutputStream out = new FileOutputStream(file.toString())) {
        library.copyTo(out);
      }
      Posix.seal(descriptor);
      sealed = true;
      return file;
    } finally {
      if (!sealed) {
        Posix.close(descriptor);
      }
    }
  }
}
