/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.cli.arguments.Database;
import org.rocksdbffm.cli.arguments.Operands;
import org.rocksdbffm.cli.frame.Output;
import org.rocksdbffm.cli.frame.ProgressLine;
import org.rocksdbffm.internal.format.VersionEdit;

/**
 * Verifies the checksums of all tables and blob files. The engine stops at the first damage, so tables are verified in
 * groups. In a damaged group, each table is verified separately, and a scan finds the damaged blocks.
 */
public final class TableCheck {
  private static final long GROUP = 1L << 30; // the bytes of tables that are verified together
  private static final int MOST = 1000; // the maximum number of tables in a group
  private static final Pattern BLOCK = Pattern.compile("offset (\\d+) size (\\d+)(?:, block_type = (\\w+))?");

  private static final Pattern FILE = Pattern.compile("/(\\d+\\.(?:sst|blob|log))");

  private final Database database;
  private final LiveFiles files;
  private final ProgressLine progress;
  private final List<DamagedFile> damages = new ArrayList<>();
  private final List<String> unknown = new ArrayList<>(); // families with unknown comparators
  private final long total;
  private long done; // verified bytes
  private int count;

  private TableCheck(Database database, LiveFiles files, Output out) {
    this.database = database;
    this.files = files;
    total = files.families.values()
        .stream()
        .mapToLong(
            family -> family.tables.values().stream().mapToLong(VersionEdit.Table::size).sum()
                + family.blobSizes().values().stream().mapToLong(size -> size).sum())
        .sum();
    progress = out.progress(total);
  }

  /** Verifies all files of an inspection, except the ones that are known to be damaged. */
  public static TableCheck of(Database database, Inspection inspection, Output out) throws IOException {
    TableCheck verification = new TableCheck(database, inspection.files(), out);
    try (ProgressLine _ = verification.progress) {
      List<DamagedFile> lost = inspection.files().lost();
      for (LiveFiles.Family family : inspection.files().families.values()) {
        verification.verify(family, lost);
      }
    }
    return verification;
  }

  /** Returns the damage of blocks and values. */
  public List<DamagedFile> damages() {
    return damages;
  }

  /** Returns the number of tables and blob files. */
  public int count() {
    return count;
  }

  /** Returns the families whose tables were not read, because their comparators are unknown, with the reasons. */
  public List<String> unknown() {
    return unknown;
  }

  private void verify(LiveFiles.Family family, List<DamagedFile> lost) throws IOException {
    count += family.tables.size() + family.blobSizes().size();
    List<VersionEdit.Table> group = new ArrayList<>();
    long bytes = 0;
    for (VersionEdit.Table table : family.tables.values()) {
      if (lost.stream().anyMatch(each -> each.file().equals(files.tablePath(table.number())))) {
        continue;
      }
      group.add(table);
      bytes += table.size();
      if (bytes >= GROUP || group.size() == MOST) {
        verifyTables(family, group);
        group.clear();
        bytes = 0;
      }
    }
    verifyTables(family, group);
    for (long blob : family.blobSizes().keySet()) {
      if (lost.stream().noneMatch(each -> each.file().equals(files.blobPath(blob)))) {
        verifyBlobs(files, family, blob, damages);
        progress.at(done += family.blobSizes().get(blob));
      }
    }
  }

  /** Whether the database still has a table, which another process may have compacted. */
  private boolean isLive(int family, long table) throws IOException {
    LiveFiles now = LiveFiles.in(files.folder);
    return now.families.containsKey(family) && now.families.get(family).tables.containsKey(table);
  }

  private static void verifyBlobs(LiveFiles files, LiveFiles.Family family, long blob,
      List<DamagedFile> damages) throws IOException {
    String wrong = BlobCheck.of(files.blobPath(blob));
    LiveFiles now = wrong == null ? files : LiveFiles.in(files.folder);
    boolean isLive =
        now.families.containsKey(family.number) && now.families.get(family.number).blobSizes().containsKey(blob);
    if (wrong != null && isLive) {
      damages.add(new DamagedFile(files.blobPath(blob), family.name, null, null, wrong, DamagedFile.OF_ROWS));
    }
  }

  /** Verifies only the blob files. */
  static List<DamagedFile> ofBlobs(LiveFiles files) throws IOException {
    List<DamagedFile> damages = new ArrayList<>();
    for (LiveFiles.Family family : files.families.values()) {
      for (long blob : family.blobSizes().keySet()) {
        verifyBlobs(files, family, blob, damages);
      }
    }
    return damages;
  }

  private void verifyTables(LiveFiles.Family family, List<VersionEdit.Table> group) throws IOException {
    if (group.isEmpty() || unknown.contains(family.name)) {
      return;
    }
    List<Long> numbers = group.stream().map(VersionEdit.Table::number).toList();
    try (FolderView view = new FolderView(files, numbers::contains, List.of());
        RocksDb db = database.rowsIn(view.path(), family.name, new Operands(false)).openReadOnly()) {
      db.files().verifyChecksums();
    } catch (RocksDbException e) {
      if (!SkippingScan.isDamage(e)) {
        unknown.add(family.name + " (" + e.getMessage() + ")");
      } else if (group.size() == 1) {
        if (isLive(family.number, group.getFirst().number())) {
          locate(family, group.getFirst(), e);
        }
      } else {
        for (VersionEdit.Table table : group) {
          verifyTables(family, List.of(table));
        }
        return;
      }
    }
    done += group.stream().mapToLong(VersionEdit.Table::size).sum();
    progress.at(done);
  }

  /** Finds the damaged blocks of a table; if none, its metadata is damaged, and all its rows may be lost. */
  private void locate(LiveFiles.Family family, VersionEdit.Table table, RocksDbException found) throws IOException {
    List<SkippingScan.Gap> gaps = List.of();
    byte[] largest = LiveFiles.key(table.largest());
    try (FolderView view = new FolderView(files, number -> number == table.number(), List.of());
        RocksDb db = database.rowsIn(view.path(), family.name, new Operands(false)).openReadOnly()) {
      SkippingScan scan = new SkippingScan(db.family(family.name), database.isReverse(family.name), null);
      gaps = scan.read(null, row -> {});
    } catch (RocksDbException e) {
      gaps = List.of(); // the table cannot be opened
    }
    byte[] smallest = LiveFiles.key(table.smallest());
    for (SkippingScan.Gap gap : gaps) {
      byte[] from = gap.after() == null ? smallest : gap.after();
      add(family, table, from, gap.until() == null ? largest : gap.until(), gap.cause());
    }
    if (gaps.stream().noneMatch(gap -> words(gap.cause()).equals(words(found)))) {
      add(family, table, smallest, largest, found);
    }
  }

  private void add(LiveFiles.Family family, VersionEdit.Table table, byte[] from, byte[] until,
      RocksDbException cause) {
    damages.add(
        new DamagedFile(files.tablePath(table.number()), family.name, from, until, words(cause), DamagedFile.OF_ROWS));
  }

  /** Like {@link #words}, after the file's name. */
  static String fileAndWords(RocksDbException e) {
    return (file(e) == null ? "" : file(e) + " ") + words(e);
  }

  /** Returns the file name in a message; null if none. */
  static String file(RocksDbException e) {
    Matcher file = FILE.matcher(e.getMessage());
    return file.find() ? file.group(1) : null;
  }

  /** Describes the damage, without the path of the temporary folder. */
  static String words(RocksDbException e) {
    Matcher block = BLOCK.matcher(e.getMessage());
    if (block.find()) {
      String kind = block.group(3) == null || block.group(3).equals("Data") ? ""
          : " of its " + block.group(3).toLowerCase(java.util.Locale.ROOT);
      return "has a damaged block" + kind + " at " + block.group(1) + ", with " + block.group(2) + " bytes";
    }
    return "cannot be read: " + e.getMessage().replaceFirst(" \\([^()]*\\)$", "").replaceAll("/\\S*/(?=\\d+\\.)", "");
  }
}
