/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * A file of a database's write-ahead log, as it was when it was asked for; it may be gone since.
 *
 * @param number of the file; a later file has a higher one
 * @param archived whether its rows are in tables, and it is kept for readers of the log alone
 * @param firstSequenceNumber of the first write in it; 0 if there is none yet
 * @param size how large it is
 * @param path where it is
 */
public record LogFile(long number, boolean archived, long firstSequenceNumber, ByteSize size, Path path) {
  /** Made by the library alone. */
  public LogFile {
    requireNonNull(size, "size");
    requireNonNull(path, "path");
  }
}
