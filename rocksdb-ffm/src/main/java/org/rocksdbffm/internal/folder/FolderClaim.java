/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * The use of folders by a call, or by an object until it is closed. Uses the JDK's table of file locks, which covers
 * the whole JVM and identifies folders by file key: so another path, link, mount, class loader or library meets the
 * same claim. A lock on a folder needs no file in it, and does not affect other processes. Thread-safe.
 */
public final class FolderClaim implements AutoCloseable {
  /** The advice for a folder that is in use. */
  static final String ADVICE =
      "close what uses it in this process, in whichever class loader; a closed database uses it until the last value that "
          + "is pinned in it is released";

  private static final String LOCK = "LOCK";
  private static final long PART = 1L << 61; // a quarter of the byte range that a file lock may cover

  // One lock for all class loaders, so that no class loader meets the short-lived claim of a check.
  private static final Object OF_JVM = "the folders that are in use".intern();

  private final String user;
  private final Map<Object, FileLock> locks = new HashMap<>(); // the JDK drops unreachable locks
  private final List<Path> made = new ArrayList<>();
  private FileChannel file;

  /** The kinds of uses of a folder. Two uses conflict if their byte ranges overlap. */
  public enum Use {
    /** Reads files; allows other readers and one writer. */
    READ(PART, 1),
    /** Writes files with unique names; allows other such writers and readers. */
    SHARE(0, 1),
    /** Writes; allows readers. */
    WRITE(0, PART),
    /** Deletes or replaces everything; excludes all other uses. */
    ALONE(0, 2 * PART);

    private final long from;
    private final long size;

    Use(long from, long size) {
      this.from = from;
      this.size = size;
    }

    private long position() {
      return size == 1 ? from + ThreadLocalRandom.current().nextLong(PART) : from;
    }
  }

  /**
   * Creates an empty claim.
   *
   * @param user the operation on the folders, for messages
   */
  public FolderClaim(String user) {
    this.user = user;
  }

  /** Claims a folder, unless it does not exist, or this claim has it already. A writer claims its name, too. */
  public synchronized FolderClaim take(Path folder, Use use) throws IOException {
    if (use == Use.WRITE && Files.isDirectory(folder)) {
      takeNameOfWriter(folder);
    }
    takeUnnamed(folder, use);
    return this;
  }

  private void takeUnnamed(Path folder, Use use) throws IOException {
    if (Files.isDirectory(folder)) {
      lock(key(folder), folder, use.position(), use.size, folder);
    }
  }

  /** Claims the right to create an entry of a folder. */
  public synchronized FolderClaim takeName(Path entry) throws IOException {
    Path folder = entry.getParent();
    long place = hash(entry.getFileName().toString()) >>> 3;
    lock(List.of(key(folder), place), folder, 2 * PART + place, 1, entry);
    return this;
  }

  /** The engine writes by names: if the folder is renamed, it writes to the folder that has the name next. */
  private void takeNameOfWriter(Path folder) throws IOException {
    Path named = FolderPath.real(folder);
    try {
      if (named.getParent() != null) {
        takeName(named);
      }
    } catch (AccessDeniedException e) {
      return; // this process may traverse the parent folder, but not open it
    }
  }

  /** Returns a hash of 64 bits (FNV-1a, mixed). A digest's first use would need free descriptors in the JDK. */
  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return (hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L;
  }

  /** Claims an existing folder also across processes, by a lock file in it. */
  public synchronized FolderClaim takeAmongProcesses(Path folder) throws IOException {
    take(folder, Use.WRITE); // first: closing any descriptor of a file releases all locks on it
    file = Uninterrupted.run(
        () -> FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    FileLock lock = Uninterrupted.run(file::tryLock);
    if (lock == null) {
      throw Status.parse("Resource busy: " + folder + " is in use by another process", user + ": close it there");
    }
    locks.put(file, lock);
    return this;
  }

  /** Throws if a folder is being written. */
  public static void requireUnwritten(Path folder, String user) throws IOException {
    synchronized (OF_JVM) {
      try (FolderClaim claim = new FolderClaim(user)) {
        claim.takeUnnamed(folder, Use.WRITE);
      }
    }
  }

  private static Object key(Path folder) throws IOException {
    Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
    return key == null ? folder.toRealPath() : key;
  }

  private void lock(Object key, Path folder, long from, long size, Path claimed) throws IOException {
    if (locks.containsKey(key)) {
      return;
    }
    FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ);
    FileLock lock = null;
    try {
      synchronized (OF_JVM) {
        lock = channel.tryLock(from, size, true);
      }
    } catch (OverlappingFileLockException e) {
      long pinned = LiveObjects.PINS.count();
      String pins = pinned == 0 ? "" : "; " + pinned + " of all databases are pinned now";
      throw Status.parse("Resource busy: " + claimed + " is in use in this process", user + ": " + ADVICE + pins);
    } catch (IOException e) {
      return; // no locks on this file system, so the engine cannot lock either
    } finally {
      if (lock == null) {
        channel.close();
      } else {
        locks.put(key, lock);
      }
    }
  }

  /** Creates a missing folder in an existing one; syncs the parent before it returns. */
  public synchronized FolderClaim make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      takeNameOfWriter(folder);
      Files.createDirectory(folder);
      made.add(folder);
      try {
        Uninterrupted.sync(folder.toRealPath().getParent());
      } catch (IOException e) {
        Files.deleteIfExists(folder);
        throw e;
      }
    }
    return this;
  }

  /** Notes a created file. */
  synchronized void made(Path file) {
    made.add(file);
  }

  /**
   * Closes this claim after a failed opening, and deletes folders and files created for it that contain nothing of a
   * database.
   */
  public synchronized void undo(Path database) {
    boolean isThere = Files.exists(database.resolve("CURRENT"));
    for (Path each : made) { // first, because an owner file stays if its folder has other files
      if (Files.isDirectory(each) && !Files.exists(each.resolve("CURRENT"))) {
        deleteLogs(each);
      }
    }
    for (Path each : made.reversed()) {
      try {
        if (!isThere || Files.isDirectory(each) || each.getParent().toFile().list().length == 1) {
          Files.deleteIfExists(each);
        }
      } catch (IOException e) {
        continue; // not empty
      }
    }
    close();
  }

  /** Deletes the files that the engine creates before it refuses to open a database. */
  private static void deleteLogs(Path folder) {
    try {
      for (Path entry : FolderPath.entries(folder)) {
        if (entry.getFileName().toString().matches("(.*_)?LOG(\\.old\\.\\d+)?|LOCK|IDENTITY")) {
          Files.delete(entry);
        }
      }
    } catch (IOException e) {
      return; // the folder stays
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (file != null) {
        file.close();
      }
      for (FileLock lock : locks.values()) {
        lock.acquiredBy().close();
      }
      locks.clear();
    } catch (IOException e) {
      throw Status.of(e, user + ": giving up " + locks.keySet());
    }
  }
}
