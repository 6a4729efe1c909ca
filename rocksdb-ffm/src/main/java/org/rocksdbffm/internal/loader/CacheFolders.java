/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The folders that may keep unpacked libraries, the best first. A folder that somebody chose is the only one; else the
 * user's caches come before the temporary folders, where nothing but a folder of this user's own will do.
 */
record CacheFolders(List<LibraryCache> caches) {
  static CacheFolders of(
      Platform platform, UnaryOperator<String> properties, UnaryOperator<String> environment) {
    String chosen = properties.apply(LibraryCache.PROPERTY);
    if (chosen != null && !chosen.isBlank()) {
      return new CacheFolders(List.of(new LibraryCache(Path.of(chosen))));
    }
    List<LibraryCache> caches = new ArrayList<>();
    String ofUser = environment.apply("XDG_CACHE_HOME");
    if (!platform.isMac()) {
      add(caches, ofUser, "rocksdb-ffm");
    }
    add(caches, properties.apply("user.home"), (platform.isMac() ? "Library/Caches" : ".cache") + "/rocksdb-ffm");
    String own = "rocksdb-ffm-" + Posix.effectiveUser();
    add(caches, properties.apply("java.io.tmpdir"), own);
    add(caches, "/var/tmp", own);
    return new CacheFolders(List.copyOf(caches));
  }

  private static void add(List<LibraryCache> caches, String parent, String name) {
    if (parent != null && parent.startsWith("/")) {
      caches.add(new LibraryCache(Path.of(parent, name)));
    }
  }

  /** Opens a library from the first folder that can keep it and that the system lets run code. */
  SharedLibrary open(PackedLibrary library) {
    List<NativeLibraryError> reasons = new ArrayList<>();
    for (LibraryCache cache : caches) {
      try {
        return SharedLibrary.open(
            cache.provide(library), "choose a folder elsewhere with -D" + LibraryCache.PROPERTY + "=<folder>");
      } catch (NativeLibraryError e) {
        if (!e.isOfFolder() || caches.size() == 1) {
          throw e;
        }
        reasons.add(e);
      }
    }
    throw none(reasons);
  }

  private static NativeLibraryError none(List<NativeLibraryError> reasons) {
    StringBuilder message = new StringBuilder("No folder can keep RocksDB's native library for this user:");
    for (NativeLibraryError reason : reasons) {
      message.append("\n- ").append(reason.getMessage());
    }
    message.append(
        """

        One of these helps:
        - let this user write one of these folders, on a file system that is not mounted noexec;
        - name a folder of this user's own with -D%1$s=<folder> or, on Linux, XDG_CACHE_HOME;
        - fill a folder while the image is built, with one start with -D%1$s=<folder> as root and chmod -R a+rX,go-w
          <folder>, and start with the same flag: it may be read-only then;
        - name a file of the engine with -D%2$s=<file>, which spares the larger of the two libraries."""
            .formatted(LibraryCache.PROPERTY, NativeLibrary.PROPERTY));
    NativeLibraryError error = new NativeLibraryError(message.toString());
    reasons.forEach(error::addSuppressed);
    return error;
  }
}
