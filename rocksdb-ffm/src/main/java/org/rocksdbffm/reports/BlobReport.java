/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.ByteSize;

/**
 * The blob files of a column family, which contain large values if {@link org.rocksdbffm.FamilyOptions#enableBlobFiles}
 * is set. All numbers are zero if there are none.
 *
 * @param files the number of blob files that reads need
 * @param size the size of these files
 * @param garbage the size of overwritten and deleted values in these files; compactions collect them if {@code
 *     enable_blob_garbage_collection} is set
 * @param onDisk the size of all blob files, including files that only an iterator or another old reader needs
 */
public record BlobReport(long files, ByteSize size, ByteSize garbage, ByteSize onDisk) {
  /** Refuses null. */
  public BlobReport {
    requireNonNull(size, "size");
    requireNonNull(garbage, "garbage");
    requireNonNull(onDisk, "onDisk");
  }

  /**
   * Returns the size of the files in relation to their live values.
   *
   * @return 1 if there is no garbage or no file; infinity if all is garbage
   */
  public double amplification() {
    return garbage.bytes() == 0 ? 1 : (double) size.bytes() / Math.max(0, size.bytes() - garbage.bytes());
  }

  /**
   * Returns the sum of two reports.
   *
   * @param other the report of another column family
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
