/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * The use of folders by a call, or by an object until it is closed. The JDK keeps a table of locks for the whole JVM, by
 * the keys of the files: so another path, name, mount, class loader or library meets the same claim. A lock of a folder
 * needs no file in it, and hinders no other process. Thread-safe.
 */
public final class FolderClaim implements AutoCloseable {
  /** How to get a folder free. */
  static final String ADVICE =
      "close what uses it in this process, in whichever class loader; a closed database uses it until the last value that "
          + "is pinned in it is released";

  private static final String LOCK = "LOCK";
  private static final long PART = 1L << 61; // of the bytes that a lock may have

  // One object for all class loaders: what is claimed for a moment is not seen by others.
  private static final Object OF_JVM = "the folders that are in use".intern();

  private final String user;
  private final Map<Object, FileLock> locks = new HashMap<>(); // the JDK forgets a lock that nobody keeps
  private final List<Path> made = new ArrayList<>();
  private FileChannel file;

  /** A use of a folder. It meets another one where their locks have a byte in common. */
  public enum Use {
    /** Reads files, beside others that read, and beside one that writes. */
    READ(PART, 1),
    /** Writes files with names of its own, beside others that do, and beside readers. */
    SHARE(0, 1),
    /** Writes, beside readers. */
    WRITE(0, PART),
    /** Deletes or replaces all, beside nobody. */
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
   * Claims nothing yet.
   *
   * @param user for messages: what is done with the folders
   */
  public FolderClaim(String user) {
    this.user = user;
  }

  /** Claims a folder, unless it is not there, or this has claimed it. */
  public synchronized FolderClaim take(Path folder, Use use) throws IOException {
    if (Files.isDirectory(folder)) {
      lock(key(folder), folder, use.position(), use.size, folder);
    }
    return this;
  }

  /** Claims the right to make an entry of a folder. */
  public synchronized FolderClaim takeName(Path entry) throws IOException {
    Path folder = entry.getParent();
    byte[] name = entry.getFileName().toString().getBytes(StandardCharsets.UTF_8);
    long place = UUID.nameUUIDFromBytes(name).getMostSignificantBits() >>> 3;
    lock(List.of(key(folder), place), folder, 2 * PART + place, 1, entry);
    return this;
  }

  /** Claims a folder that is there also among all processes, by a file in it. */
  public synchronized FolderClaim takeAmongProcesses(Path folder) throws IOException {
    take(folder, Use.WRITE); // first: a process that closes a file gives up all locks on it, by whichever descriptor
    file = Uninterrupted.run(
        () -> FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    FileLock lock = Uninterrupted.run(file::tryLock);
    if (lock == null) {
      throw Status.parse("Resource busy: " + folder + " is in use by another process", user + ": close it there");
    }
    locks.put(file, lock);
    return this;
  }

  /** Fails if somebody writes to a folder now. */
  public static void requireUnwritten(Path folder, String user) throws IOException {
    synchronized (OF_JVM) {
      try (FolderClaim claim = new FolderClaim(user)) {
        claim.take(folder, Use.WRITE);
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
      return; // a file system without locks, where the engine cannot have its own either
    } finally {
      if (lock == null) {
        channel.close();
      } else {
        locks.put(key, lock);
      }
    }
  }

  /** Makes a folder that is not there, in one that is; its name is on the disk when this returns. */
  public synchronized FolderClaim make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
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

  /** Notes a file that was made. */
  synchronized void made(Path file) {
    made.add(file);
  }

  /** Closes this for an opening that has failed, and takes back what was made for it and has nothing of a database by now. */
  public synchronized void undo(Path database) {
    boolean isThere = Files.exists(database.resolve("CURRENT"));
    for (Path each : made.reversed()) {
      try {
        if (!isThere || Files.isDirectory(each) || each.getParent().toFile().list().length == 1) {
          Files.deleteIfExists(each);
        }
      } catch (IOException e) {
        continue; // something else is in it
      }
    }
    close();
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
