/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeFileManager;

/**
 * Limits the total size of the table files of several databases, and the rate at which obsolete files are deleted,
 * because deleting large files quickly slows some disks down. Its owner closes it; databases opened with it keep their
 * share. Thread-safe.
 *
 * <p>Closing releases this share of the manager: databases that were opened with it keep the limits.
 */
public final class SstFileManager extends Resource {
  private static final ByteSize LEAST_RATE = ByteSize.kib(64);
  private static final ByteSize MOST_RATE = ByteSize.gib(1024);
  private static final double MOST_TRASH = 1000;

  private final NativeFileManager manager;

  private SstFileManager(NativeFileManager manager) {
    super(manager);
    this.manager = manager;
  }

  /**
   * Creates a manager without limits.
   *
   * @return the manager, which the caller <em>owns</em> and must close
   */
  public static SstFileManager create() {
    return new SstFileManager(NativeFileManager.create());
  }

  NativeFileManager nativeManager() {
    return manager;
  }

  /**
   * Sets the maximum total size of table and blob files. A flush that reaches it succeeds, but then all writes to its
   * database fail with {@link RocksDbException.SubCode#SPACE_LIMIT}. Compactions that would exceed it wait. Reads
   * continue, and {@link FamilyFiles#deleteWithin} frees space; deletions of rows are writes.
   *
   * <p>When the limit is above the used size again, RocksDB accepts writes again, in one database every five seconds.
   * For that it requires a limit, and free space on the disk, of at least the sum of the
   * {@link FamilyOptions#writeBufferSize write buffers} of all databases that were ever opened with this manager,
   * counted once per opening, 64 MiB by default; with a limit of zero, only the free space is required. It checks the
   * disk of the folder of the first of these databases. A database that it does not resume, because the limit is too
   * low or that folder was deleted, accepts writes when it is opened again.
   *
   * @param size zero for no limit
   */
  public void spaceLimit(ByteSize size) {
    manager.limitSpace(requireNonNull(size, "size").bytes());
  }

  /**
   * Returns whether the files have reached the maximum size.
   *
   * @return whether the limit is reached
   */
  public boolean isSpaceLimitReached() {
    return manager.isLimitReached();
  }

  /**
   * Returns the size of all table and blob files of the databases that are open with this manager.
   *
   * @return the size, including files that wait for deletion
   */
  public ByteSize totalSize() {
    return ByteSize.bytes(manager.size());
  }

  /**
   * Returns the size of the files that wait for deletion, including WAL files. Their names end with {@code .trash}; if
   * a process leaves some, they are deleted when the database is opened again.
   *
   * @return the size
   */
  public ByteSize trashSize() {
    return ByteSize.bytes(manager.trashSize());
  }

  /**
   * Returns the rate at which files are deleted.
   *
   * @return bytes per second; zero for no limit
   */
  public ByteSize deletionRate() {
    return ByteSize.bytes(manager.deletionRate());
  }

  /**
   * Sets the rate at which files are deleted.
   *
   * @param aSecond bytes per second, from 64 KiB to 1024 GiB; zero, the default, for no limit
   */
  public void deletionRate(ByteSize aSecond) {
    long bytes = requireNonNull(aSecond, "aSecond").bytes();
    if (bytes != 0 && (bytes < LEAST_RATE.bytes() || bytes > MOST_RATE.bytes())) {
      throw new IllegalArgumentException(
          "aSecond: " + aSecond + ", but files are deleted at " + LEAST_RATE + " to " + MOST_RATE + " a second; 0 is no limit");
    }
    manager.setDeletionRate(bytes);
  }

  /**
   * Returns the maximum size of files that wait for deletion, in relation to all files; more are deleted immediately.
   *
   * @return the ratio, by default 0.25
   */
  public double trashRatio() {
    return manager.trashRatio();
  }

  /**
   * Sets the maximum size of files that wait for deletion.
   *
   * @param ofAll the ratio to the size of all files, from 0 to 1000
   */
  public void trashRatio(double ofAll) {
    if (!(ofAll >= 0 && ofAll <= MOST_TRASH)) {
      throw new IllegalArgumentException("ofAll: " + ofAll + ", but it must be from 0 to " + MOST_TRASH);
    }
    manager.setTrashRatio(ofAll);
  }
}
