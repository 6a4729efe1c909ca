/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;

/**
 * A folder of unpacked libraries, each in a sub-folder named by its SHA-256. Threads and processes share it without
 * locks: an atomic rename gives a library its name when it is complete and verified, and it is never changed.
 */
record LibraryCache(Path path) {
  static final String PROPERTY = "org.rocksdbffm.cache";

  /** A writer touches its file continuously; a file that was not touched for this long has no writer. */
  static final Duration ABANDONED = Duration.ofMinutes(10);

  private static final String TEMPORARY = ".tmp";

  /** Returns the library as a file that can be loaded. */
  Path provide(PackedLibrary library) {
    try {
      PrivateFolder root = PrivateFolder.of(path, Posix.effectiveUser(), library::isOwnedBy);
      PrivateFolder folder = root.folder(library.sha256());
      if (folder.has(library.fileName())) {
        return verified(library, folder.file(library.fileName()));
      }
      sweep(root);
      write(library, folder);
      return folder.file(library.fileName());
    } catch (IOException e) {
      throw unusable(library, e);
    }
  }

  private static void write(PackedLibrary library, PrivateFolder folder) throws IOException {
    Path target = folder.path().resolve(library.fileName());
    Path temporary = folder.path().resolve(temporaryName(library));
    try {
      copy(library, temporary);
      if (!folder.has(library.fileName())) {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Copies and syncs a library before it gets its final name: after a power failure the file is complete or missing.
   */
  private static void copy(PackedLibrary library, Path temporary) throws IOException {
    Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (FileOutputStream out = new FileOutputStream(temporary.toFile())) { // not a channel: interrupts close it
      library.copyTo(out);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("r-x------"));
      out.getFD().sync();
    }
  }

  private static String temporaryName(PackedLibrary library) {
    String writer = ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId() + "-" + System.nanoTime();
    return library.fileName() + "." + writer + TEMPORARY;
  }

  private static Path verified(PackedLibrary library, Path file) throws IOException {
    if (!library.equalsContentOf(file)) {
      throw new NativeLibraryError(
          ("%1$s was changed after it was written: it is not the library in %2$s any more, and is not loaded. Find out"
                  + " what changed it, then delete it; the next start writes it anew: rm -f '%1$s'")
              .formatted(file, library.url()));
    }
    return file;
  }

  /** Deletes files that killed processes left incomplete, in the folders of all versions. */
  private static void sweep(PrivateFolder root) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root.path(), LibraryCache::isNamedByDigest)) {
      for (Path folder : folders) {
        sweep(folder, Instant.now().minus(ABANDONED));
      }
    }
  }

  private static void sweep(Path folder, Instant limit) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "lib*" + TEMPORARY)) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(limit)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | DirectoryIteratorException inTheWay) {
      // Another process may be deleting the same files, or the folder is read-only: the library can be loaded in both
      // cases.
    }
  }

  private static boolean isNamedByDigest(Path folder) {
    return Sha256.isText(folder.getFileName().toString()) && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
  }

  private NativeLibraryError unusable(PackedLibrary library, IOException e) {
    String elsewhere = "choose a folder elsewhere with -D%s=<folder>".formatted(PROPERTY);
    String message = "Cannot keep RocksDB's native library in %s: %s. ".formatted(path, e);
    try {
      long needed = library.size();
      long free = Files.getFileStore(existing(path)).getUsableSpace();
      if (free < needed) {
        String full = "The disk is full: the library has %d bytes and %d are free. Free some space, or %s.";
        return NativeLibraryError.ofPlace(message + full.formatted(needed, free, elsewhere), e);
      }
    } catch (IOException unknown) {
      e.addSuppressed(unknown);
    }
    return NativeLibraryError.ofPlace(message + "Let this user write the folder, or " + elsewhere + ".", e);
  }

  private static Path existing(Path path) {
    Path existing = path.toAbsolutePath();
    while (Files.notExists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }
}
