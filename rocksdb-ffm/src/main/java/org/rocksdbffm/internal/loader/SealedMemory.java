/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A library in an anonymous memory file of Linux, which other users cannot reach by a path. It is sealed against
 * changes before it is opened, through this process's descriptor.
 *
 * <p>The descriptor stays open: all class loaders of the JVM open the same file, and so share one engine. And the
 * dynamic linker would mistake another file with the same inode number for this one.
 */
final class SealedMemory {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private SealedMemory() {}

  /** Returns the library as a file that can be loaded. */
  static Path provide(PackedLibrary library) {
    String name = library.fileName() + "-" + library.sha256();
    synchronized (Runtime.getRuntime()) { // an object that all class loaders share
      try {
        Path sealed = sealed(name);
        return sealed == null ? write(library, name) : sealed;
      } catch (IOException e) {
        throw NativeLibraryError.ofPlace("Cannot keep RocksDB's native library in memory: " + e + ".", e);
      }
    }
  }

  /** Returns the file that another class loader made, or null. */
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
