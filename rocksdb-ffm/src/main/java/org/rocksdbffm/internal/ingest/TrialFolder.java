/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.files.FolderClaim;
import org.rocksdbffm.internal.files.NewFolder;
import org.rocksdbffm.internal.files.StagingFolder;
import org.rocksdbffm.internal.folder.FolderPath;

/**
 * A folder beside table files for one look at them. Others take another number meanwhile, in this process or in any; one
 * that nobody has is left by a process that was cut off, and is taken again, so that what it links is let go. One thread.
 */
final class TrialFolder implements AutoCloseable {
  private static final String NAME = ".rocksdb-ffm-trial";
  private static final String DATABASE = "db";
  private static final String LOCK = "LOCK";
  private static final int MOST = 1000;

  private final Path folder;
  private final FolderClaim claim;
  private final String tried;

  private TrialFolder(Path folder, FolderClaim claim, String tried) {
    this.folder = folder;
    this.claim = claim;
    this.tried = tried;
  }

  /** Takes one within a folder, which is a real path, or elsewhere if that cannot be written to. */
  static TrialFolder beside(Path files, String tried) throws IOException {
    if (!Files.isWritable(files)) {
      return at(Files.createTempDirectory("trial").toRealPath(), tried);
    }
    for (int i = 0; i < MOST; i++) {
      TrialFolder taken = tryToTake(files.resolve(NAME + i), tried);
      if (taken != null) {
        return taken;
      }
    }
    throw Status.parse("Resource busy: " + files + " has folders of " + MOST + " ingestions", tried + ": wait for those");
  }

  /** Null if others have it. */
  private static TrialFolder tryToTake(Path folder, String tried) throws IOException {
    try {
      return hasOthers(folder) ? null : at(folder, tried);
    } catch (NoSuchFileException | FileAlreadyExistsException | AccessDeniedException e) { // others came or went, or own it
      return null;
    } catch (RocksDbException e) {
      if (e.code() != RocksDbException.Code.BUSY) {
        throw e;
      }
      return null;
    }
  }

  private static TrialFolder at(Path folder, String tried) throws IOException {
    Path real = NewFolder.at(folder);
    FolderClaim claim = FolderClaim.among(real, tried);
    TrialFolder taken = new TrialFolder(real, claim, tried);
    try {
      taken.deleteDatabase();
      return taken;
    } catch (Throwable e) {
      claim.close();
      throw e;
    }
  }

  /** Whether it is there, and not as a look leaves it. */
  private static boolean hasOthers(Path folder) throws IOException {
    return Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
        && (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            || !names(folder, name -> Set.of(DATABASE, LOCK).contains(name))
            || !names(folder.resolve(DATABASE), StagingFolder::isOfEngine));
  }

  private interface Names {
    boolean has(String name);
  }

  private static boolean names(Path folder, Names known) throws IOException {
    if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (!known.has(entry.getFileName().toString())) {
          return false;
        }
      }
      return true;
    }
  }

  /** Where the database is to be. */
  FolderPath database() {
    return FolderPath.of(folder.resolve(DATABASE));
  }

  private void deleteDatabase() throws IOException {
    Path database = folder.resolve(DATABASE);
    if (Files.exists(database, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(database)) {
        for (Path entry : entries) {
          Files.deleteIfExists(entry);
        }
      }
      Files.delete(database);
    }
  }

  @Override
  public void close() {
    try {
      deleteDatabase();
      Files.deleteIfExists(folder.resolve(LOCK));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw Status.of(e, tried + ": deleting " + folder);
    } finally {
      claim.close();
    }
  }
}
