/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.nio.file.Path;
import org.rocksdbffm.cli.frame.Bytes;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.Table;

/**
 * A file of a database that is damaged.
 *
 * @param family that the file is of; null if it is of the whole database
 * @param from first key that may be lost; null if that is not known
 * @param until first key behind those that may be lost, or the last of them if it ends the file; null likewise
 */
public record Damage(Path file, String family, byte[] from, byte[] until, String what, String advice) {
  static final String OF_ROWS = "restore a backup, or save the other rows: dump --skip-damaged, and load";
  static final String OF_LOG =
      "copy the folder before a program opens it, which deletes the rest of the log; restore a backup, or do without those writes";
  static final String OF_MANIFEST = "restore a backup; 'repair' is the last resort";
  static final String OF_OPTIONS = "open the database by its program, which writes a new one";

  /** Of a file of the whole database. */
  public static Damage of(Path file, String what, String advice) {
    return new Damage(file, null, null, null, what, advice);
  }

  /** Whether the engine's repair is of use. */
  public boolean isForRepair() {
    return !advice.equals(OF_OPTIONS);
  }

  /** In one sentence. */
  public String sentence() {
    String its = family == null ? "" : " of the family '" + family + "'";
    String keys = from == null ? "" : " (keys from " + Bytes.TEXT.cell(from) + " to " + Bytes.TEXT.cell(until) + ")";
    return file.getFileName() + its + " " + what + keys + ": " + advice;
  }

  /** Begins a table with a row for each damage. */
  public static Table table(Output out) {
    return out.table("file", "family", "from", "until", "damage", "what to do");
  }

  /** Adds its row. */
  public void row(Table table) {
    table.row(file.getFileName(), family, Bytes.TEXT.cell(from), Bytes.TEXT.cell(until), what, advice);
  }
}
