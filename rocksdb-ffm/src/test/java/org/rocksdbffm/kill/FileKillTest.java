/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Kills a process at random times while it ingests files, or exports and imports column families: each operation was
 * completed or had no effect, no reported operation is lost, and the interrupted one can be repeated.
 */
@ExtendWith(LiveObjectsCheck.class)
final class FileKillTest {
  private static final int ROUNDS = Sweeps.of(3, 100);
  private static final int LONGEST_MILLIS = 300;

  @TempDir Path folder;

  private String where;

  /** Runs the child, kills it some time after it has done the work once, and returns its lines. */
  private List<String> killed(String work, int generation, Random random) throws Exception {
    Path said = folder.resolve(FileKillCases.SAID);
    Files.deleteIfExists(said);
    try (ChildJvm.Running child =
        ChildJvm.of(FileKillCases.class).start(work, folder.toString(), Integer.toString(generation))) {
      while (!Files.exists(said) || Files.readString(said).lines().noneMatch(line -> line.startsWith(work))) {
        assertTrue(child.process().isAlive(), child::output);
        Thread.sleep(1);
      }
      Thread.sleep(random.nextInt(LONGEST_MILLIS));
      assertTrue(child.process().isAlive(), child::output);
      child.process().destroyForcibly().waitFor();
    }
    String all = Files.readString(said);
    return all.substring(0, all.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Returns the last generation whose step was reported; 0 if none. */
  private static int last(List<String> said, String step) {
    return said.stream()
        .filter(line -> line.startsWith(step + " "))
        .mapToInt(line -> Integer.parseInt(line.split(" ")[1]))
        .max()
        .orElse(0);
  }

  private RocksDb open() {
    return RocksDb.at(folder.resolve("db")).defaults(FileKillCases.OPTIONS).open();
  }

  /**
   * Returns the generation of all rows of a family, or 0 if it has no rows; fails if they are of several generations,
   * or rows are missing.
   */
  private int generation(KeyReader keys) {
    byte[] first = keys.get(FileKillCases.key(0));
    int generation = first == null ? 0 : number(first);
    for (int row = 0; row < FileKillCases.ROWS; row++) {
      byte[] expected = generation == 0 ? null : FileKillCases.value(generation, row);
      assertArrayEquals(expected, keys.get(FileKillCases.key(row)), where + ", row " + row + " of generation "
          + generation);
    }
    return generation;
  }

  private static int number(byte[] value) {
    return Integer.parseInt(text(value).split(" ")[0]);
  }

  /** Asserts that interrupted operations have left no files. */
  private void assertNoUnknownFiles(RocksDb db) throws IOException {
    Set<Path> live = db.files().live().stream().map(file -> file.path().getFileName()).collect(Collectors.toSet());
    try (Stream<Path> files = Files.list(db.path())) {
      assertEquals(
          live,
          files.map(Path::getFileName).filter(name -> name.toString().endsWith(".sst")).collect(Collectors.toSet()),
          where);
    }
  }

  @Test
  void anIngestionIsThereCompletelyOrNotAtAll() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, Integer> ingested = new HashMap<>();
    Map<String, Integer> put = new HashMap<>();
    int done = 0;
    int generation = 1;
    for (int round = 0; round < ROUNDS; round++) {
      List<String> said = killed("ingested", generation, random);
      where = "seed " + seed + ", round " + round + ", which ended with " + said.getLast();
      for (String line : said) {
        int number = Integer.parseInt(line.split(" ")[1]);
        if (line.startsWith("ingested ")) {
          ingested.put(FileKillCases.family(number), number);
          done++;
        } else if (line.startsWith("put ")) {
          put.put(FileKillCases.family(number), number);
        }
      }
      int cut = last(said, "ingested") == last(said, "put") ? 0 : last(said, "put");
      try (RocksDb db = open()) {
        assertNoUnknownFiles(db);
        for (ColumnFamily family : db.families()) {
          verify(family, ingested.getOrDefault(family.name(), 0), put.getOrDefault(family.name(), 0), cut);
        }
        if (cut != 0) {
          again(db, cut, last(said, "written") == cut);
          ingested.put(FileKillCases.family(cut), cut);
        }
        for (ColumnFamily family : db.families()) {
          family.compact(KeyRange.all());
        }
      }
      deleteTables();
      generation = last(said, "put") + 2; // the next generation may have been started
    }
    assertTrue(done >= ROUNDS, done + " ingestions");
  }

  private void verify(ColumnFamily family, int ingested, int put, int cut) {
    int found = generation(family);
    boolean isCutOff = cut != 0 && FileKillCases.family(cut).equals(family.name());
    assertTrue(found == ingested || isCutOff && found == cut, where + ": " + family.name() + " has generation "
        + found);
    byte[] last = family.get(bytes("row1000put"));
    assertTrue((last == null ? 0 : number(last)) >= put, where + ": put " + put + " is lost");
  }

  /** Repeats the interrupted ingestion, with its files if all exist, otherwise with new ones. */
  private void again(RocksDb db, int generation, boolean written) throws IOException {
    KeySpace keys = FileKillCases.keys(db, FileKillCases.family(generation));
    List<Path> files = FileKillCases.names(folder, generation);
    boolean allThere = files.stream().allMatch(Files::exists);
    if (!written || !allThere) {
      if (written) {
        assertEquals(generation, generation(keys), where + ": files are gone that were not ingested");
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      FileKillCases.tables(folder, generation);
    }
    boolean move = FileKillCases.isMoved(generation);
    keys.files().ingest(files, FamilyFiles.IngestOptions.defaults().move(move));
    assertEquals(generation, generation(keys), where);
    files.forEach(file -> assertEquals(!move, Files.exists(file), where));
  }

  private void deleteTables() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void anExportAndAnImportAreThereCompletelyOrNotAtAll() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int done = 0;
    int generation = 1;
    for (int round = 0; round < ROUNDS; round++) {
      List<String> said = killed("imported", generation, random);
      where = "seed " + seed + ", round " + round + ", which ended with " + said.getLast();
      int last = last(said, "exporting");
      try (RocksDb db = open()) {
        assertNoUnknownFiles(db);
        verifyExports(said);
        for (int number = generation; number <= last; number++) {
          done += verifyImport(db, number, said) ? 1 : 0;
        }
        if (last(said, "put") != last) {
          exportAndImportAgain(db, last);
        }
        for (ColumnFamily family : db.families()) {
          if (family.name().startsWith("imported")) {
            db.dropFamily(family);
          }
        }
      }
      deleteExports();
      generation = last + 2; // rows of the next generation may have been written
    }
    assertTrue(done >= ROUNDS, done + " imports");
  }

  private void verifyExports(List<String> said) throws IOException {
    for (String line : said) {
      if (!line.startsWith("exporting ")) {
        continue;
      }
      int number = Integer.parseInt(line.split(" ")[1]);
      Path export = folder.resolve("export" + number);
      boolean isMoved = number % 2 == 0 && said.contains("exported " + number);
      assertTrue(Files.exists(export) || !said.contains("exported " + number), where + ": export " + number
          + " is lost");
      if (Files.exists(export) && !isMoved) {
        try (Stream<Path> files = Files.list(export)) {
          assertEquals(Long.parseLong(line.split(" ")[2]), files.count(), where + ": export " + number);
        }
      }
    }
  }

  /** Returns whether the imported family exists with its rows. */
  private boolean verifyImport(RocksDb db, int number, List<String> said) {
    ColumnFamily family =
        db.families().stream().filter(each -> each.name().equals("imported" + number)).findFirst().orElse(null);
    boolean wasTold = said.contains("imported " + number);
    if (family == null) {
      assertFalse(wasTold, where + ": import " + number + " is lost");
      return false;
    }
    int found = generation(family);
    assertTrue(found == number || found == 0 && !wasTold, where + ": import " + number + " has generation " + found);
    if (said.contains("put " + number)) {
      assertEquals("" + number, text(family.get(bytes("row1000put"))), where);
    }
    return found == number;
  }

  private void exportAndImportAgain(RocksDb db, int number) throws IOException {
    KeySpace source = db.family("one");
    FileKillCases.write(source, number);
    Path target = folder.resolve("export" + number);
    if (Files.exists(target)) { // without files if they were moved to the database
      Folders.delete(target);
    }
    String name = "imported" + number;
    try (FamilyFiles.ExportedFamily exported = source.files().export(target)) {
      assertFalse(Files.exists(folder.resolve("export" + number + ".tmp")), where);
      if (db.families().stream().anyMatch(each -> each.name().equals(name))) {
        RocksDbException refused =
            assertThrowsExactly(
                RocksDbException.class,
                () -> db.importFamily(name, FileKillCases.OPTIONS, exported, FamilyFiles.ExportedFamily.Transfer.MOVE),
                where);
        assertTrue(refused.getMessage().contains("drop that one first"), refused.getMessage());
        db.dropFamily(db.family(name));
      }
      assertEquals(number,
          generation(
              db.importFamily(name, FileKillCases.OPTIONS, exported, number % 2 == 0
                  ? FamilyFiles.ExportedFamily.Transfer.MOVE : FamilyFiles.ExportedFamily.Transfer.COPY)), where);
    }
  }

  private void deleteExports() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path export : files.filter(each -> each.getFileName().toString().startsWith("export")).toList()) {
        Folders.delete(export);
      }
    }
  }
}
