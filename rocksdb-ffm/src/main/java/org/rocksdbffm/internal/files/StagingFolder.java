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
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderPath;

/**
 * A folder beside its target in which a copy of a database is made: it gets the target's name when the copy is complete.
 * Its files are deleted before, for they may be those of a copy that was cut off; so it must have no others. Those of a copy
 * that fails are deleted, too, for they would fill a disk that is full.
 */
public final class StagingFolder implements AutoCloseable {
  private static final Pattern FILES =
      Pattern.compile(
          "\\d+\\.(log|sst|blob|dbtmp)|CURRENT(\\.tmp)?|IDENTITY|LOCK|LOG.*|MANIFEST-\\d+|OPTIONS-\\d+(\\.dbtmp)?");

  private final Path target;
  private final Path folder;
  private final String tried;
  private final FolderClaim claim;
  private boolean begun;

  private StagingFolder(Path target, Path folder, String tried, FolderClaim claim) {
    this.target = target;
    this.folder = folder;
    this.tried = tried;
    this.claim = claim;
  }

  /** Takes the folder for a target that is not there, or is an empty folder. */
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
        claim.takeName(folder);
        requireFree(real, tried);
        requireOurs(folder, tried);
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

  /** Whether the engine gives such a name to files of a database. */
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

  /** Makes room for the copy; from now on there is nothing of others in the folder. */
  public void begin() {
    clear();
    begun = true;
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

  /** Removes the target if it is an empty folder, for who insists on making it. */
  public void removeEmptyTarget() {
    try {
      Files.deleteIfExists(target);
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), tried);
    }
  }

  /** Gives the complete copy the name of the target. */
  public void becomeTarget() {
    begun = false;
    try {
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), tried + ": the complete copy is in " + folder);
    }
    keepName();
  }

  /** Waits until the disk has the name of the target, which may be gone after a power cut otherwise. */
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
      if (begun) {
        clear();
      }
    } finally {
      claim.close();
    }
  }
}
