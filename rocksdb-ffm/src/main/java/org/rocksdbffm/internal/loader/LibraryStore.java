/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Stores packed libraries as files for the dynamic linker: in the configured folder, or the user's cache folder. If the
 * folder cannot store or execute them, they are stored in memory.
 */
final class LibraryStore {
  private final LibraryCache folder;
  private NativeLibraryError refusal;

  private LibraryStore(LibraryCache folder, NativeLibraryError refusal) {
    this.folder = folder;
    this.refusal = refusal;
  }

  static LibraryStore of(Platform platform, UnaryOperator<String> properties, UnaryOperator<String> environment) {
    String chosen = properties.apply(LibraryCache.PROPERTY);
    if (chosen != null && !chosen.isBlank()) {
      return in(Path.of(chosen));
    }
    String ofUser = environment.apply("XDG_CACHE_HOME");
    if (!platform.isMac() && isAbsolute(ofUser)) {
      return in(Path.of(ofUser, "rocksdb-ffm"));
    }
    String home = properties.apply("user.home");
    if (isAbsolute(home)) {
      return in(Path.of(home, platform.isMac() ? "Library/Caches" : ".cache", "rocksdb-ffm"));
    }
    return new LibraryStore(null, NativeLibraryError.ofPlace("This user has no home that could keep it.", null));
  }

  static LibraryStore in(Path folder) {
    return new LibraryStore(new LibraryCache(folder), null);
  }

  private static boolean isAbsolute(String path) {
    return path != null && path.startsWith("/");
  }

  /** Returns the folder; null if absent. */
  LibraryCache folder() {
    return folder;
  }

  /** Opens a library. After the folder has failed for one library, later ones are stored in memory too. */
  SharedLibrary open(PackedLibrary library) {
    if (refusal == null) {
      try {
        return SharedLibrary.open(
            folder.provide(library), "choose a folder elsewhere with -D" + LibraryCache.PROPERTY + "=<folder>");
      } catch (NativeLibraryError e) {
        refusal = ofPlace(e);
      }
    }
    try {
      return SharedLibrary.open(SealedMemory.provide(library), "let this process map code of memory files");
    } catch (NativeLibraryError e) {
      throw neither(refusal, ofPlace(e));
    }
  }

  /** Logs the reason if the libraries are in memory. */
  void log() {
    if (refusal != null) {
      Warnings.log(
          Level.INFO,
          "RocksDB's native library is kept in memory, which each process of this user pays for, and not in a folder: "
              + refusal.getMessage(),
          null);
    }
  }

  private static NativeLibraryError ofPlace(NativeLibraryError error) {
    if (!error.isOfPlace()) {
      throw error;
    }
    return error;
  }

  private static NativeLibraryError neither(NativeLibraryError folder, NativeLibraryError memory) {
    NativeLibraryError error =
        new NativeLibraryError(
            """
            Neither a folder nor memory can keep RocksDB's native library for this user:
            - %s
            - %s
            One of these helps:
            - name a folder of this user's own with -D%s=<folder>, on a file system that is not mounted noexec;
            - fill a folder while the image is built, with one start with -D%3$s=<folder> as root and chmod -R a+rX,go-w
              <folder>, and start with the same flag: it may be read-only then;
            - mount /proc, and allow this process memory files (memfd_create), as Linux does by default."""
                .formatted(folder.getMessage(), memory.getMessage(), LibraryCache.PROPERTY));
    error.addSuppressed(folder);
    error.addSuppressed(memory);
    return error;
  }
}
