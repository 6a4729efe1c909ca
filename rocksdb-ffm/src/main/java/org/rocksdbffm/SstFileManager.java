/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeFileManager;

/**
 * A limit of the size that the table files of several databases have together, and of how fast those are deleted that a
 * compaction has replaced: to delete large files at once makes some disks slow for a while. Its owner closes it; databases
 * opened with it keep their share. Thread-safe.
 *
 * <p>A close gives up this share of the limits: databases that were opened with them keep to them.
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
   * Makes a manager without any limit yet.
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
   * Limits the size of all table and blob files together. A flush that reaches it succeeds, and ends the writes to its
   * database: they fail with {@link RocksDbException.SubCode#SPACE_LIMIT}. Compactions that would exceed it wait. Reads go on,
   * and room is made by {@link FamilyFiles#deleteWithin}; deletions are writes.
   *
   * <p>Once the limit is above what is there, the engine takes writes again, in one database every five seconds. For that it
   * wants a limit, and as much room on the disk, that is no less than the sum of the {@link FamilyOptions#writeBufferSize write
   * buffers} of all databases that were ever opened with this, once for each opening, 64 MiB by default; zero has no such
   * condition but that of the disk. It looks at the disk in the folder of the first of these databases. A database that it
   * does not let go on, because the limit is too low or that folder is gone, takes writes when it is opened again.
   *
   * @param size zero for no limit
   */
  public void spaceLimit(ByteSize size) {
    manager.limitSpace(requireNonNull(size, "size").bytes());
  }

  /**
   * Whether files have as much as they may.
   *
   * @return whether the limit is reached
   */
  public boolean isSpaceLimitReached() {
    return manager.isLimitReached();
  }

  /**
   * The size of all table and blob files of the databases that are open with this.
   *
   * @return the size, that of files included which wait to be deleted
   */
  public ByteSize totalSize() {
    return ByteSize.bytes(manager.size());
  }

  /**
   * The size of the files that wait to be deleted, logs among them. They have names with {@code .trash} behind, and those that a process
   * leaves are deleted when the database is opened again.
   *
   * @return the size
   */
  public ByteSize trashSize() {
    return ByteSize.bytes(manager.trashSize());
  }

  /**
   * How fast files are deleted.
   *
   * @return bytes a second; zero for no limit
   */
  public ByteSize deletionRate() {
    return ByteSize.bytes(manager.deletionRate());
  }

  /**
   * Limits how fast files are deleted, from now on.
   *
   * @param aSecond from 64 KiB to 1024 GiB; zero, as at first, for no limit
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
   * How much may wait to be deleted, as a part of all files; what is above it is deleted at once.
   *
   * @return the ratio, 0.25 at first
   */
  public double trashRatio() {
    return manager.trashRatio();
  }

  /**
   * Changes how much may wait to be deleted.
   *
   * @param ofAll the part of the size of all files, from 0 to 1000
   */
  public void trashRatio(double ofAll) {
    if (!(ofAll >= 0 && ofAll <= MOST_TRASH)) {
      throw new IllegalArgumentException("ofAll: " + ofAll + ", but it must be from 0 to " + MOST_TRASH);
    }
    manager.setTrashRatio(ofAll);
  }
}
