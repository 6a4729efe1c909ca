/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.rocksdbffm.internal.folder.Manifest;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.VersionEdit;

/** Finds changes of a database that are in its MANIFEST but not in its WAL. Used by one thread. */
final class ManifestTail {
  private final Path file;
  private long offset;
  private String change; // the first one; null if absent

  /**
   * Watches a MANIFEST.
   *
   * @param offset the offset before which all changes are known
   */
  ManifestTail(Path file, long offset) {
    this.file = file;
    this.offset = offset;
  }

  /** Reads new edits; returns the first change that the WAL does not have, or null. */
  String change() throws IOException {
    if (change == null) {
      try {
        read();
        if (change == null && !file.getFileName().toString().equals(Manifest.currentName(file.getParent()))) {
          change = "the MANIFEST was replaced";
        }
      } catch (NoSuchFileException e) {
        change = "the MANIFEST was replaced";
      } catch (Fields.Unreadable e) {
        change = "the MANIFEST cannot be read: " + e.getMessage();
      }
    }
    return change;
  }

  private void read() throws IOException {
    long number = Long.parseLong(file.getFileName().toString().substring("MANIFEST-".length()));
    long from = offset;
    LogRecords.read(
        file,
        number,
        from,
        new LogRecords.Reader() {
          private VersionEdit edit;
          private Fields.Unreadable unreadable;

          @Override
          public void record(byte[] bytes, int start, int length) {
            try {
              unreadable = null;
              edit = VersionEdit.parse(bytes, start, length);
            } catch (Fields.Unreadable e) {
              unreadable = e;
            }
          }

          @Override
          public void ended(long end) {
            if (end <= from) {
              return; // read before
            }
            if (unreadable != null) {
              throw unreadable;
            }
            offset = end;
            change = change == null ? changeOf(edit) : change;
          }
        });
  }

  private static String changeOf(VersionEdit edit) {
    if (edit.familyName != null) {
      return "the column family " + edit.familyName + " was created";
    }
    if (edit.drop) {
      return "a column family was dropped";
    }
    if (edit.logNumber != VersionEdit.NONE) {
      return null; // a flush
    }
    boolean adds = !edit.tables.isEmpty();
    boolean deletes = !edit.deletedTables.isEmpty();
    if (adds && !deletes) {
      return "tables were ingested or imported";
    }
    return deletes && !adds ? "tables were deleted" : null;
  }
}
