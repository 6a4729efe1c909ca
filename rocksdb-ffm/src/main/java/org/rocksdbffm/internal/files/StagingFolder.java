/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.folder.BackupFolders;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.Refused;

/**
 * A folder next to the target in which a copy of a database is created; it is renamed to the target when the copy is
 * complete. Remains of an interrupted copy are deleted first, so it must contain no other files. The files of a failed
 * copy are deleted too, because they would fill a full disk.
 */
public final class StagingFolder implements AutoCloseable {
  private static final Pattern FILES =
      Pattern.compile(
          "\\d+\\.(log|sst|blob|dbtmp)|CURRENT(\\.tmp)?|IDENTITY|LOCK|LOG.*|MANIFEST-\\d+|OPTIONS-\\d+(\\.dbtmp)?|ARCHIVE(\\.tmp)?");

  private final Path target;
  private final Path folder;
  private final String tried;
  private final FolderClaim claim;
  private boolean started;

  private StagingFolder(Path target, Path folder, String tried, FolderClaim claim) {
    this.target = target;
    this.folder = folder;
    this.tried = tried;
    this.claim = claim;
  }

  /** Claims the folder for a target that does not exist, or is an empty folder. */
  public static StagingFolder of(Path target, String suffix, String tried) {
    Path name = target.getFileName();
    if (name == null) {
      throw Status.parse("Invalid argument: " + target + " is in use by the system", tried + ": name a new folder");
    }
    try {
      Path parent = target.toAbsolutePath().getParent();
      if (!Files.isDirectory(parent)) {
        throw Status.parse(
            "IO error: " + parent + " is no folder", tried + ": create the folder above it first (Files.createDirectories)");
      }
      Path real = parent.toRealPath().resolve(name);
      Path folder = real.resolveSibling(name + suffix);
      FolderClaim claim = new FolderClaim(tried);
      try {
        Refused.settled(tried, () -> {
          BackupFolders.requireOutside(real);
          return claim.takeName(folder);
        });
        requireFree(real, tried);
        requireOurs(folder, tried);
        claim.takeName(real); // a database that was renamed may still write to this path
        return new StagingFolder(real, folder, tried, claim);
      } catch (Throwable e) {
        claim.close();
        throw e;
      }
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), tried);
    }
  }

  private static void requireFree(Path target, String tried) throws IOException {
    boolean isEmpty =
        Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS) && FolderPath.entries(target).isEmpty();
    if (!isEmpty && !Files.notExists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw Status.parse(
        "Invalid argument: " + target + " is there already",
        tried + ": nothing is ever replaced; name a new folder, or remove that one (RocksDb.destroy, if it is a database)");
    }
  }

  private static void requireOurs(Path folder, String tried) throws IOException {
    if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(folder, "it is no folder", tried);
    }
    for (Path entry : FolderPath.entries(folder)) {
      if (!isOfEngine(entry.getFileName().toString()) || Files.isDirectory(entry)) {
        throw refused(folder, entry + " is none of the engine's", tried);
      }
    }
  }

  /** Whether the engine uses such a name for files of a database. */
  public static boolean isOfEngine(String name) {
    return FILES.matcher(name).matches();
  }

  private static RuntimeException refused(Path folder, String why, String tried) {
    return Status.parse(
        "Invalid argument: " + folder + " is needed meanwhile, and its files would be deleted, but " + why,
        tried + ": move it away, or name another target");
  }

  public Path folder() {
    return folder;
  }

  /** Clears the folder; from now on all files in it belong to the copy. */
  public void begin() {
    clear();
    started = true;
  }

  private void clear() {
    try {
      if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      requireOurs(folder, tried);
      for (Path entry : FolderPath.entries(folder)) {
        Files.deleteIfExists(entry);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), tried + ": clearing " + folder);
    }
  }

  public Path target() {
    return target;
  }

  /** Removes the target if it is an empty folder, for copiers that create it. */
  public void removeEmptyTarget() {
    try {
      Files.deleteIfExists(target);
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), tried);
    }
  }

  /** Renames the complete copy to the target. */
  public void becomeTarget() {
    started = false;
    try {
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), tried + ": the complete copy is in " + folder);
    }
    keepName();
  }

  /** Syncs the target's parent; otherwise the target may vanish in a power failure. */
  public void keepName() {
    try {
      Uninterrupted.sync(target.getParent());
    } catch (IOException e) {
      throw Status.parse(
          "IO error: " + e.getMessage(),
          tried + ": the complete copy is in " + target + ", but may lose its name in a power cut: the folder above it was not synced");
    }
  }

  @Override
  public void close() {
    try {
      if (started) {
        clear();
      }
    } finally {
      claim.close();
    }
  }
}
