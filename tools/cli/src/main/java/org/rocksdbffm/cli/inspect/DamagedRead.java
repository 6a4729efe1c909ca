/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Row;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.KeyBounds;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.frame.ByteNotation;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.internal.folder.LiveLog;

/** Reads the intact rows of a family: skips damaged blocks, and omits tables that cannot be read at all. */
public final class DamagedRead {
  private static final Pattern TABLE = Pattern.compile("/(\\d+)\\.sst");

  private final Database database;
  private final String family;
  private final Operands operands;
  private final KeyBounds range;
  private final Inspection inspection;
  private final boolean isReverse;
  private final Set<Long> without = new HashSet<>(); // the numbers of omitted tables
  private final List<String> leftOut = new ArrayList<>();
  private byte[] last; // the last key that was delivered
  private long delivered;

  private DamagedRead(Database database, String family, Operands operands, KeyBounds range) throws IOException {
    this.range = range;
    this.database = database;
    this.family = family;
    this.operands = operands;
    inspection = Inspection.of(database);
    isReverse = database.isReverse(family);
    LiveFiles files = inspection.files();
    List<DamagedFile> lost = files.lost();
    files.families.values().forEach(each -> each.tables.keySet().forEach(table -> {
      if (lost.stream().anyMatch(damaged -> damaged.file().equals(files.tablePath(table)))) {
        without.add(table);
      }
    }));
  }

  /**
   * Reads rows, and reports on the error stream which ones are omitted.
   *
   * @return whether all rows of the range were read
   */
  public static boolean read(
      Database database, String family, Operands operands, KeyBounds range, Output out,
          Consumer<Row> rows) throws IOException {
    DamagedRead read = new DamagedRead(database, family, operands, range);
    try (ProgressLine progress = out.progressOfRows(() -> 0)) {
      while (!read.readOn(progress, rows)) {
        // repeats without another table that cannot be read
      }
    }
    read.leftOut.forEach(out::note);
    if (!read.without.isEmpty()) {
      out.note("older rows of the keys of tables that cannot be read may be among those that were printed");
    }
    if (!read.leftOut.isEmpty()) {
      out.note("ranges of keys that were left out: " + read.leftOut.size());
    }
    return read.leftOut.isEmpty() && read.without.isEmpty();
  }

  /** Continues to read; false if another table must be omitted. */
  private boolean readOn(ProgressLine progress, Consumer<Row> rows) throws IOException {
    List<java.nio.file.Path> logs = inspection.logs().stream().map(LiveLog::file).toList();
    try (FolderView view = without.isEmpty() ? null
        : new FolderView(inspection.files(), table -> !without.contains(table), logs);
        RocksDb db = (view == null ? database.rowsBesideDamage(family, operands)
            : database.rowsIn(view.path(), family, operands)).openReadOnly()) {
      byte[] resumed = last;
      ColumnFamily keys = db.family(family);
      long estimated = keys.metrics().report().estimatedKeys();
      SkippingScan scan = new SkippingScan(keys, isReverse, range.end(isReverse));
      List<SkippingScan.Gap> gaps = scan.read(resumed == null ? range.start(isReverse) : resumed, row -> {
        byte[] key = row.keyBytes();
        if (range.has(key) && !Arrays.equals(key, resumed)) {
          rows.accept(row);
          progress.at(++delivered, estimated);
          last = key;
        }
      });
      for (SkippingScan.Gap gap : gaps) {
        if (gap.until() == null && leaveOut(gap.cause())) {
          return false;
        }
        leftOut.add("keys" + (gap.after() == null ? "" : " behind " + ByteNotation.TEXT.cell(gap.after()))
            + (gap.until() == null ? "" : " before " + ByteNotation.TEXT.cell(gap.until())) + " are left out: "
                + TableCheck.fileAndWords(gap.cause()));
      }
      return true;
    } catch (RocksDbException e) {
      if (SkippingScan.isDamage(e) && leaveOut(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Omits the table in a message; false if it is not named, or already omitted. */
  private boolean leaveOut(RocksDbException e) {
    Matcher table = TABLE.matcher(e.getMessage());
    if (table.find() && without.add(Long.parseLong(table.group(1)))) {
      leftOut.add("table " + TableCheck.fileAndWords(e));
      return true;
    }
    return false;
  }
}
