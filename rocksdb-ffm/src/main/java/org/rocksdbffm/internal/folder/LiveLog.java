/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.nio.file.Path;
import org.rocksdbffm.internal.format.LogEnd;

/**
 * A WAL file with writes that may not be in tables, as the next opening of its database reads it.
 *
 * @param number the number in the file's name
 * @param batches the number of batches before the end
 * @param operations the number of writes in these batches
 * @param first the sequence number of the first write; {@link #NONE} if there are no batches
 * @param last the sequence number of the last write that takes effect; less than {@code first} if none does
 * @param end where and how the file ends
 */
public record LiveLog(Path file, long number, long batches, long operations, long first, long last, LogEnd end) {
  /** A missing sequence number. */
  public static final long NONE = -1;
}
