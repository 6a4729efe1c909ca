/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.nio.file.Path;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.RowPrinter;

/**
 * A damaged file of a database.
 *
 * @param family the family of the file; null if it belongs to the whole database
 * @param from the first key that may be lost; null if unknown
 * @param until the first key after the lost ones, or the last lost key at the end of the file; null if unknown
 */
public record DamagedFile(Path file, String family, byte[] from, byte[] until, String what, String advice) {
  static final String OF_ROWS = "restore a backup, or save the other rows: dump --skip-damaged, and load";
  static final String OF_LOG =
      "copy the folder before a program opens it, which deletes the rest of the log; restore a backup, or do "
          + "without those writes";
  static final String OF_MANIFEST = "restore a backup; 'repair' is the last resort";
  static final String OF_OPTIONS = "open the database by its program, which writes a new one";

  /** Returns the damage of a file of the whole database. */
  public static DamagedFile of(Path file, String what, String advice) {
    return new DamagedFile(file, null, null, null, what, advice);
  }

  /** Whether the engine's repair can help. */
  public boolean isForRepair() {
    return !advice.equals(OF_OPTIONS);
  }

  /** Describes the damage in one sentence. */
  public String sentence() {
    String ofFamily = family == null ? "" : " of the family '" + family + "'";
    String keys = from == null ? ""
        : " (keys from " + ByteNotation.TEXT.cell(from) + " to " + ByteNotation.TEXT.cell(until) + ")";
    return file.getFileName() + ofFamily + " " + what + keys + ": " + advice;
  }

  /** Starts a table with a row for each damage. */
  public static RowPrinter table(Output out) {
    return out.table("file", "family", "from", "until", "damage", "what to do");
  }

  /** Adds the row of this damage. */
  public void row(RowPrinter table) {
    table.row(file.getFileName(), family, ByteNotation.TEXT.cell(from), ByteNotation.TEXT.cell(until), what, advice);
  }
}
