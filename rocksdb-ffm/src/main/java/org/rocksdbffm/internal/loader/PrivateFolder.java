/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A folder that only its owner can write to: this user, root, or an equally trusted user. A folder that fails the check
 * is refused, not repaired.
 */
record PrivateFolder(Path path, int user, IntPredicate trusted) {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int ROOT = 0;
  private static final int TYPE = 0170000;
  private static final int SYMBOLIC_LINK = 0120000;
  private static final int DIRECTORY = 0040000;
  private static final int REGULAR_FILE = 0100000;
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int WRITABLE_BY_ALL = 0002;

  /**
   * Creates the folder and missing parents. Resolves links above the folder once, so that moving them later has no
   * effect.
   */
  static PrivateFolder of(Path wanted, int user, IntPredicate trusted) throws IOException {
    Path path = wanted.toAbsolutePath().normalize();
    Path parent = path.getParent();
    if (parent != null) {
      Files.createDirectories(parent, OWNER_ONLY);
      parent = parent.toRealPath();
      path = parent.resolve(path.getFileName());
    }
    for (Path above = parent; above != null; above = above.getParent()) {
      requireHeld(above);
    }
    return new PrivateFolder(path, user, trusted).created();
  }

  PrivateFolder folder(String name) throws IOException {
    return new PrivateFolder(path.resolve(name), user, trusted).created();
  }

  boolean has(String fileName) {
    return Files.exists(path.resolve(fileName), LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns a file of this folder that no other user can have written. */
  Path file(String name) throws IOException {
    return require(path.resolve(name), REGULAR_FILE, "a file");
  }

  private PrivateFolder created() throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(path, OWNER_ONLY);
    }
    require(path, DIRECTORY, "a folder");
    return this;
  }

  private Path require(Path entry, int type, String noun) throws IOException {
    Map<String, Object> found = Files.readAttributes(entry, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int owner = (int) found.get("uid");
    int mode = (int) found.get("mode");
    if ((mode & TYPE) == SYMBOLIC_LINK) {
      throw refusal(entry, "it is a symbolic link", "Remove the link");
    }
    if ((mode & TYPE) != type) {
      throw refusal(entry, "it is not " + noun, "Remove it");
    }
    if (owner != user && owner != ROOT && !trusted.test(owner)) {
      String reason = "it belongs to user %d and this process runs as user %d".formatted(owner, user);
      throw refusal(entry, reason, "Remove it");
    }
    if ((mode & WRITABLE_BY_OTHERS) != 0) {
      boolean shared = (mode & STICKY) != 0 || owner != user;
      String own = shared ? "Name a folder of this user's own below it" : "If nobody has, chmod go-w '" + entry + "'";
      throw refusal(entry, "other users can write it", own);
    }
    return entry;
  }

  /**
   * Refuses a parent in which every user can rename the folder and replace it; in a sticky folder only the owner can.
   */
  private static void requireHeld(Path above) throws IOException {
    int mode = (int) Files.getAttribute(above, "unix:mode");
    if ((mode & WRITABLE_BY_ALL) != 0 && (mode & STICKY) == 0) {
      throw refusal(above, "every user can replace what is in it", "chmod o-w '" + above + "' (or chmod +t)");
    }
  }

  private static NativeLibraryError refusal(Path entry, String reason, String remedy) {
    return NativeLibraryError.ofPlace(
        "RocksDB's native library is not loaded by way of %s: %s. %s, or choose another folder with -D%s=<folder>."
            .formatted(entry, reason, remedy, LibraryCache.PROPERTY),
        null);
  }
}
