/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.call.Status;

/** The right to write to a folder, which one object at a time has. Thread-safe. */
public final class FolderClaim implements AutoCloseable {
  private static final String LOCK = "LOCK";

  // Asked first: for POSIX, a process that closes a file gives up all locks that it has on it, by whichever descriptor.
  private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel file; // null: nobody else looks at the folder
  private boolean closed;

  private FolderClaim(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  /** Claims a folder, which need not be there, within this process; it is a real path. */
  public static FolderClaim within(Path folder, String user) {
    return new FolderClaim(claim(folder, user), null);
  }

  /** Claims a folder that is there, by a file in it that other processes see. */
  public static FolderClaim among(Path folder, String user) throws IOException {
    claim(folder, user);
    try {
      return new FolderClaim(folder, Uninterrupted.run(() -> lock(folder, user)));
    } catch (Throwable e) {
      CLAIMED.remove(folder);
      throw e;
    }
  }

  private static Path claim(Path folder, String user) {
    if (!CLAIMED.add(folder)) {
      throw Status.parse("Resource busy: " + folder + " is in use in this process", user + ": wait for that, or close it first");
    }
    return folder;
  }

  private static FileChannel lock(Path folder, String user) throws IOException {
    FileChannel file = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = file.tryLock();
      if (lock == null) {
        throw Status.parse("Resource busy: " + folder + " is in use by another process", user + ": close it there");
      }
      return file; // which has the lock until it is closed
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), "giving up " + folder);
    } finally {
      CLAIMED.remove(folder);
    }
  }
}
