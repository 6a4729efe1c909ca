/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A backup in a folder of {@link Backups}.
 *
 * @param id its number, by which it is verified, restored and deleted
 * @param time when it was begun, in whole seconds
 * @param size of all its files, those that it shares with other backups included
 * @param files how many files it has
 * @param note the text that it was made with; empty if with none
 */
public record Backup(int id, Instant time, ByteSize size, int files, String note) {
  /** Made by the library alone. */
  public Backup {
    requireNonNull(time, "time");
    requireNonNull(size, "size");
    requireNonNull(note, "note");
  }
}
