/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableWriter;

/**
 * A program that ingests table files, or exports and imports column families, until it is killed; see
 * {@link FileKillTest}. It writes a line to a separate file before and after each step. All rows of an ingestion, and
 * all rows of an imported family, are of one generation.
 */
final class FileKillCases {
  static final List<String> FAMILIES = List.of("default", "one", "two");
  static final int FILES = 3;
  static final int ROWS = 60;
  static final String SAID = "said";
  static final FamilyOptions OPTIONS =
      FamilyOptions.defaults()
          .disableAutoCompactions(true)
          .option("level0_slowdown_writes_trigger", 1_000_000)
          .option("level0_stop_writes_trigger", 1_000_000)
          .option("target_file_size_base", 100_000);
  private static final int VALUE = 5_000;

  private FileKillCases() {}

  /** Arguments: the work, whose name is written when it is done, the folder, and the first generation. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    int first = Integer.parseInt(arguments[2]);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      for (int generation = first; ; generation++) {
        if (arguments[0].equals("ingested")) {
          ingest(db, folder, generation);
        } else {
          exportAndImport(db, folder, generation);
        }
      }
    }
  }

  static byte[] value(int generation, int row) {
    byte[] value = new byte[VALUE];
    new Random(generation * 1000L + row).nextBytes(value);
    byte[] number = bytes(generation + " ");
    System.arraycopy(number, 0, value, 0, number.length);
    return value;
  }

  static byte[] key(int row) {
    return bytes("row" + (1000 + row));
  }

  /** Returns the family into which a generation is ingested. */
  static String family(int generation) {
    return FAMILIES.get(generation % FAMILIES.size());
  }

  static boolean isMoved(int generation) {
    return generation / FAMILIES.size() % 2 == 0;
  }

  static KeySpace keys(RocksDb db, String family) {
    return family.equals("default") ? db : db.familyOrCreate(family, OPTIONS);
  }

  private static void ingest(RocksDb db, Path folder, int generation) throws IOException {
    KeySpace keys = keys(db, family(generation));
    keys.put(bytes("row1000put"), bytes("" + generation)); // within a file's range: the ingestion flushes the memtable
    say(folder, "put " + generation);
    List<Path> files = tables(folder, generation);
    say(folder, "written " + generation);
    keys.files().ingest(files, FamilyFiles.IngestOptions.defaults().move(isMoved(generation)));
    say(folder, "ingested " + generation);
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  static List<Path> names(Path folder, int generation) {
    List<Path> names = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      names.add(folder.resolve("table" + generation + "-" + i + ".sst"));
    }
    return names;
  }

  /** Writes all rows of a generation to several files. */
  static List<Path> tables(Path folder, int generation) {
    List<Path> files = names(folder, generation);
    for (int i = 0; i < FILES; i++) {
      try (TableWriter table = TableWriter.create(files.get(i), OPTIONS)) {
        for (int row = i * ROWS / FILES; row < (i + 1) * ROWS / FILES; row++) {
          table.put(key(row), value(generation, row));
        }
        table.finish();
      }
    }
    return files;
  }

  private static void exportAndImport(RocksDb db, Path folder, int generation) throws IOException {
    KeySpace source = keys(db, "one");
    write(source, generation);
    long files = db.files().live().stream().filter(file -> file.columnFamily().equals("one")).count();
    say(folder, "exporting " + generation + " " + files);
    try (FamilyFiles.ExportedFamily exported = source.files().export(folder.resolve("export" + generation))) {
      say(folder, "exported " + generation);
      ColumnFamily made =
          db.importFamily("imported" + generation, OPTIONS, exported, generation % 2 == 0
              ? FamilyFiles.ExportedFamily.Transfer.MOVE : FamilyFiles.ExportedFamily.Transfer.COPY);
      say(folder, "imported " + generation);
      made.put(bytes("row1000put"), bytes("" + generation));
      say(folder, "put " + generation);
    }
  }

  /** Replaces all rows by rows of a generation, in several files. */
  static void write(KeySpace source, int generation) {
    for (int row = 0; row < ROWS; row++) {
      source.put(key(row), value(generation, row));
    }
    source.flush();
    source.compact(KeyRange.all());
  }

  private static void say(Path folder, String line) throws IOException {
    Files.writeString(folder.resolve(SAID), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
