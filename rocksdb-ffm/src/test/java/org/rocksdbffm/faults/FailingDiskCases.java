/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * A program whose disk fails; each run is one case. See {@link FailingDiskTest}. Exits with 0 if the library works
 * again afterwards.
 */
final class FailingDiskCases {
  private static final Path HERE = Path.of("").toAbsolutePath();
  private static final Path FOLDER = HERE.resolve("failing").resolve("db");
  private static final Path TOLD = HERE.resolve("told");
  private static final int WRITES = 100;

  private FailingDiskCases() {}

  public static void main(String[] arguments) throws Exception {
    Files.createDirectories(FOLDER.getParent());
    switch (arguments[0]) {
      case "writesFail" -> writesFail("w");
      case "syncsFail" -> writesFail("s");
      case "readsFail" -> readsFail();
      case "flushFails" -> flushFails();
      case "chosenCompactionFails" -> chosenCompactionFails();
      case "holdFails" -> holdFails();
      case "repairFails" -> repairFails();
      case "ingestionFails" -> ingestionFails();
      case "commitFails" -> commitFails();
      case "commitOfFamiliesFails" -> commitOfFamiliesFails();
      case "compactionFails" -> compactionFails();
      case "copiesAreNotSynced" -> copiesAreNotSynced();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    LiveObjectsCheck.awaitNone();
    System.out.println(arguments[0] + " done");
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private static void requireIoError(Runnable operation, String what) {
    try {
      operation.run();
    } catch (RocksDbException e) {
      require(e.code() == Code.IO_ERROR && e.getMessage().contains("Input/output error"), what + ": " + e);
      return;
    }
    throw new AssertionError(what + " went well");
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(UTF_8);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[5_000];
    Arrays.fill(value, (byte) number);
    return value;
  }

  private static RocksDb open() {
    return RocksDb.open(FOLDER);
  }

  private static void write(KeyWriter db) {
    for (int i = 0; i < WRITES; i++) {
      db.put(key(i), value(i));
    }
  }

  private static void requireAll(KeyReader db) {
    for (int i = 0; i < WRITES; i++) {
      require(Arrays.equals(value(i), db.get(key(i))), "write " + i + " is lost");
    }
  }

  private static void writesFail(String fault) throws IOException {
    try (RocksDb db = open()) {
      KeySpace synced = db.with(WriteOptions.defaults().sync(true));
      write(synced);
      Files.writeString(TOLD, fault);
      for (int i = 0; i < 3; i++) {
        requireIoError(() -> synced.put(key(WRITES), value(WRITES)), "a put");
      }
      requireAll(db);
      Files.delete(TOLD);
    }
    goesOn();
  }

  /** Opens the database after the disk was repaired, and checks reads, writes and compactions. */
  private static void goesOn() {
    try (RocksDb db = open()) {
      requireAll(db);
      db.put(key(WRITES), value(WRITES));
      db.flush();
      db.compact(KeyRange.all());
      require(Arrays.equals(value(WRITES), db.get(key(WRITES))), "the write afterwards");
      requireAll(db);
    }
  }

  private static void readsFail() throws IOException {
    try (RocksDb db = open()) {
      write(db);
      db.flush();
    }
    try (RocksDb db = open()) {
      byte[] target = new byte[10_000];
      Files.writeString(TOLD, "r");
      requireIoError(() -> db.get(key(1)), "get");
      requireIoError(() -> db.getInto(key(1), target), "getInto");
      requireIoError(() -> db.getPinned(key(1)), "getPinned");
      requireIoError(() -> db.multiGet(List.of(key(1), key(2))), "multiGet");
      try (Scan scan = db.scan(KeyRange.all())) {
        requireIoError(scan::next, "a scan");
      }
      try (Cursor cursor = db.cursor()) {
        requireIoError(() -> cursor.seek(key(50)), "a cursor");
        Files.delete(TOLD);
        require(cursor.seek(key(50)), "the cursor afterwards");
        require(Arrays.equals(value(50), cursor.valueBytes()), "its value");
      }
      requireAll(db);
      require(db.pins().count() == 0, "a pin is left");
    }
  }

  private static void compactionFails() throws IOException {
    try (RocksDb db = open()) {
      write(db);
      db.flush();
      write(db);
      db.flush();
      Files.writeString(TOLD, "w");
      try {
        db.compact(KeyRange.all());
        throw new AssertionError("the compaction went well");
      } catch (RocksDbException e) {
        require(e.code() == Code.ABORTED && e.getMessage().contains("LOG"), e.toString());
      }
      requireAll(db);
      Files.delete(TOLD);
    }
    goesOn();
  }

  /** Ingests a file from another disk; each kind of fault fails another step of the ingestion. */
  private static void ingestionFails() throws IOException {
    for (String fault : List.of("w", "s", "m")) {
      for (boolean move : new boolean[] {false, true}) {
        Path file = HERE.resolve("failing").resolve(fault + move + ".sst");
        try (TableWriter table = TableWriter.create(file, FamilyOptions.defaults())) {
          table.put(key(WRITES), value(WRITES));
          table.finish();
        }
        try (RocksDb db = open()) {
          write(db);
          db.flush();
          Files.writeString(TOLD, fault);
          requireIoError(() -> db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().move(move)),
              "an ingestion with " + fault);
          requireAll(db);
          require(Files.exists(file), "the file is lost");
        }
        Files.delete(TOLD);
        try (RocksDb db = open()) {
          requireAll(db);
          db.files().ingest(List.of(file), FamilyFiles.IngestOptions.defaults().move(move));
          require(Arrays.equals(value(WRITES), db.get(key(WRITES))), "the ingestion afterwards");
          db.delete(key(WRITES));
        }
      }
    }
    goesOn();
  }

  /** Fails the sync of the MANIFEST after the record of the files was written: the engine then deletes the files. */
  private static void commitFails() throws IOException {
    FamilyOptions elsewhere = FamilyOptions.defaults()
        .paths(List.of(new FamilyOptions.StoragePath(HERE.resolve("failing").resolve("tables"), ByteSize.gib(1))));
    for (boolean move : new boolean[] {false, true}) {
      ingestionIsUndecided(move, elsewhere);
      ingestionIsUndecided(move, FamilyOptions.defaults());
    }
    for (FamilyFiles.ExportedFamily.Transfer transfer : FamilyFiles.ExportedFamily.Transfer.values()) {
      // the engine writes two MANIFEST records before it imports the files: the family, and sequence numbers
      importIsUndecided(transfer, "mn");
      importIsUndecided(transfer, "mnn");
    }
    goesOn();
  }

  private static void ingestionIsUndecided(boolean move, FamilyOptions options) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      files.add(HERE.resolve("failing").resolve("commit" + move + i + ".sst"));
      try (TableWriter table = TableWriter.create(files.get(i), FamilyOptions.defaults())) {
        table.put(key(WRITES + i), value(WRITES + i));
        table.finish();
      }
    }
    RocksDb.destroy(FOLDER);
    try (RocksDb db = RocksDb.at(FOLDER).defaults(options).open()) {
      write(db);
      db.flush();
      Files.writeString(TOLD, "mn");
      requireUndecided(() -> db.files().ingest(files, FamilyFiles.IngestOptions.defaults().move(move)));
      requireAll(db);
    }
    Files.delete(TOLD);
    try (RocksDb db = RocksDb.at(FOLDER).defaults(options).open()) {
      requireAll(db);
      for (int i = 0; i < 3; i++) {
        require(Arrays.equals(value(WRITES + i), db.get(key(WRITES + i))), "the ingestion");
      }
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  private static void importIsUndecided(FamilyFiles.ExportedFamily.Transfer transfer, String fault) throws IOException {
    try (RocksDb db = open();
        FamilyFiles.ExportedFamily exported =
            db.files().export(HERE.resolve("failing").resolve("export" + transfer + fault))) {
      Files.writeString(TOLD, fault);
      requireUndecided(() -> db.importFamily("imported", FamilyOptions.defaults(), exported, transfer));
      Files.delete(TOLD);
    }
    try (RocksDb db = open()) {
      requireAll(db);
      ColumnFamily imported = db.family("imported");
      if (fault.equals("mnn")) {
        requireAll(imported);
      } else {
        require(imported.get(key(0)) == null, "it has rows");
      }
      db.dropFamily(imported);
    }
  }

  /** The records of several families are in the MANIFEST, but not synced, and the engine deletes the files of all. */
  private static void commitOfFamiliesFails() throws IOException {
    List<String> names = List.of("one", "default", "two");
    for (boolean move : new boolean[] {false, true}) {
      familiesAreUndecided(move, names);
      familiesAreUndecided(move, names.reversed());
    }
  }

  private static void familiesAreUndecided(boolean move, List<String> names) throws IOException {
    Path tables = HERE.resolve("failing").resolve("tables" + move);
    FamilyOptions elsewhere =
        FamilyOptions.defaults().paths(List.of(new FamilyOptions.StoragePath(tables, ByteSize.gib(1))));
    Map<String, FamilyOptions> families =
        Map.of("default", FamilyOptions.defaults(), "one", elsewhere, "two", FamilyOptions.defaults());
    RocksDb.destroy(FOLDER);
    try (RocksDb db = RocksDb.at(FOLDER).families(families).open()) {
      write(db);
      db.flush();
      Map<ColumnFamily, List<Path>> files = new LinkedHashMap<>();
      for (String name : names) {
        files.put(db.family(name), tables("family" + move + name, names.indexOf(name) + 1));
      }
      Files.writeString(TOLD, "mn");
      requireUndecided(() -> db.files().ingest(files, FamilyFiles.IngestOptions.defaults().move(move)));
      requireAll(db);
    }
    Files.delete(TOLD);
    try (RocksDb db = RocksDb.at(FOLDER).families(families).open()) {
      requireAll(db);
      for (String name : names) {
        for (int i = 0; i <= names.indexOf(name); i++) {
          require(Arrays.equals(value(i), db.family(name).get(key(WRITES + i))), "row " + i + " of the family " + name);
        }
        require(db.family(name).get(key(WRITES + names.size())) == null, "the rows of another family in " + name);
      }
      write(db);
      db.flushAll();
      requireAll(db);
    }
  }

  /** Writes tables with one row each. */
  private static List<Path> tables(String name, int count) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(HERE.resolve("failing").resolve(name + i + ".sst"));
      Files.deleteIfExists(files.get(i));
      try (TableWriter table = TableWriter.create(files.get(i), FamilyOptions.defaults())) {
        table.put(key(WRITES + i), value(i));
        table.finish();
      }
    }
    return files;
  }

  private static void requireUndecided(Runnable operation) {
    try {
      operation.run();
    } catch (RocksDbException e) {
      require(e.code() == Code.IO_ERROR, e.toString());
      require(e.getMessage().contains("whether it was done is seen when the database is opened again"), e.toString());
      return;
    }
    throw new AssertionError("it went well");
  }

  private static void flushFails() throws IOException {
    try (RocksDb db = open()) {
      write(db);
      Files.writeString(TOLD, "ws");
      requireIoError(db::flush, "flush");
      requireAll(db);
      Files.delete(TOLD);
    }
    goesOn();
  }

  private static void chosenCompactionFails() throws IOException {
    try (RocksDb db = open()) {
      for (int i = 0; i < 2; i++) {
        write(db);
        db.flush();
      }
      Files.writeString(TOLD, "w");
      requireIoError(() -> db.files().compact(db.files().live(), 1), "a compaction of chosen files");
      requireAll(db);
      Files.delete(TOLD);
    }
    goesOn();
  }

  /** If a hold cannot be created, the database deletes obsolete files as usual. */
  private static void holdFails() throws IOException {
    FamilyOptions quiet = FamilyOptions.defaults().disableAutoCompactions(true);
    try (RocksDb db = RocksDb.at(FOLDER).defaults(quiet).open()) {
      write(db);
      db.flush();
      Path table = db.files().live().getFirst().path();
      try (DatabaseFiles.Hold hold = db.files().hold()) {
        require(hold.files().stream().anyMatch(file -> file.path().equals(table)), "the table");
      }
      write(db);
      Files.writeString(TOLD, "ws");
      requireIoError(() -> db.files().hold(), "a hold");
      Files.delete(TOLD);
      requireAll(db);
    }
    goesOn();
    try (RocksDb db = open()) {
      db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
      db.files().waitForCompact(Duration.ofMinutes(1)); // a background thread may still delete the files
      List<Path> live = db.files().live().stream().map(FamilyFiles.LiveFile::path).toList();
      try (Stream<Path> files = Files.list(FOLDER)) {
        require(files.filter(file -> file.toString().endsWith(".sst")).allMatch(live::contains), "a file is left");
      }
    }
  }

  /** Whether a repair fails immediately or later, all rows can still be recovered. */
  private static void repairFails() throws IOException {
    try (RocksDb db = open()) {
      write(db);
      db.flush();
      write(db);
      db.setDatabaseOptions(Map.of("avoid_flush_during_shutdown", "true"));
    }
    Files.delete(FOLDER.resolve("CURRENT"));
    for (String fault : List.of("w", "ws")) {
      Files.writeString(TOLD, fault);
      try {
        Repair.of(FOLDER);
        throw new AssertionError("a repair went well");
      } catch (RocksDbException e) {
        require(e.code() == Code.IO_ERROR, "a repair: " + e);
      }
      Files.delete(TOLD);
      Path lost = FOLDER.resolve("lost");
      if (Files.exists(lost)) {
        try (Stream<Path> files = Files.list(lost)) {
          for (Path log : files.filter(file -> file.toString().endsWith(".log")).toList()) {
            Files.move(log, FOLDER.resolve(log.getFileName()));
          }
        }
        Files.move(lost, HERE.resolve("lost" + fault));
      }
    }
    Repair.of(FOLDER);
    goesOn();
  }

  /** A copy fails if the parent folder cannot be synced: a power failure could lose the copy's name. */
  private static void copiesAreNotSynced() throws IOException {
    Path copies = Files.createDirectories(HERE.resolve("failing").resolve("copies"));
    Path copy = copies.resolve("copy");
    try (RocksDb db = open()) {
      write(db);
      Files.writeString(TOLD, "c");
      requireIoError(() -> db.files().checkpoint(copy), "a checkpoint");
      for (int i = 0; i < 2; i++) {
        requireIoError(() -> Backups.open(copies.resolve("backups")).close(), "a folder of backups");
      }
      Files.delete(TOLD);
      Backups.open(copies.resolve("backups")).close();
      requireAll(db);
      RocksDb.destroy(copy);
      db.files().checkpoint(copy);
    }
    try (RocksDb db = RocksDb.open(copy)) {
      requireAll(db);
    }
  }
}
