/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A backup in a folder of {@link Backups}.
 *
 * @param id identifies the backup when it is verified, restored or deleted
 * @param time when the backup was started, in whole seconds
 * @param size the size of all its files, including files that it shares with other backups
 * @param files the number of its files
 * @param note the text that was passed when the backup was created; may be empty
 */
public record Backup(int id, Instant time, ByteSize size, int files, String note) {
  /** Created by the library. */
  public Backup {
    requireNonNull(time, "time");
    requireNonNull(size, "size");
    requireNonNull(note, "note");
  }
}
