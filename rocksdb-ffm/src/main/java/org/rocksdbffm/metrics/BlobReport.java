/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.ByteSize;

/**
 * The blob files of a column family, in which large values are if {@link org.rocksdbffm.FamilyOptions#enableBlobFiles} says so. All are zero
 * where there are none.
 *
 * @param files how many there are, of those that reads need
 * @param size of these files
 * @param garbage how much of that are values that were overwritten or deleted; compactions collect it where
 *     {@code enable_blob_garbage_collection} is set
 * @param onDisk the size of all blob files, those too that only an iterator or another old reader still needs
 */
public record BlobReport(long files, ByteSize size, ByteSize garbage, ByteSize onDisk) {
  /** Refuses null. */
  public BlobReport {
    requireNonNull(size, "size");
    requireNonNull(garbage, "garbage");
    requireNonNull(onDisk, "onDisk");
  }

  /**
   * How many bytes the files have for each byte that is still wanted.
   *
   * @return 1 if there is no garbage or no file; infinity if all is garbage
   */
  public double amplification() {
    return garbage.bytes() == 0 ? 1 : (double) size.bytes() / Math.max(0, size.bytes() - garbage.bytes());
  }

  /**
   * Adds up the files of two families.
   *
   * @param other of another column family
   * @return the sums
   */
  public BlobReport plus(BlobReport other) {
    return new BlobReport(
        files + requireNonNull(other, "other").files,
        ByteSize.bytes(size.bytes() + other.size.bytes()),
        ByteSize.bytes(garbage.bytes() + other.garbage.bytes()),
        ByteSize.bytes(onDisk.bytes() + other.onDisk.bytes()));
  }
}
