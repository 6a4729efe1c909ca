/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.TableWriter;

/**
 * Cases in which the engine knows only the name of a Java callback, from a table or an OPTIONS file: every operation
 * that opens tables, on databases with each kind of callback, and with tables whose range deletions or merges the
 * engine reads.
 */
final class NamedCodeCases extends CrashCase {
  private static final DatabaseOptions CHECKSUMS =
      DatabaseOptions.defaults().option("file_checksum_gen_factory", "FileChecksumGenCrc32cFactory");
  private static final byte[] COUNTER = bytes("key9");
  private static final Map<String, UnaryOperator<FamilyOptions>> CODE = new LinkedHashMap<>();
  private static final Map<String, UnaryOperator<FamilyOptions>> FORMS = new LinkedHashMap<>();

  static {
    CODE.put("order", options -> options.keyOrder("an order", (a, b) -> b.compareTo(a)));
    CODE.put("merging", options -> options.mergeOperator("merging", (key, value, operands) -> last(operands)));
    CODE.put("prefix", options -> options.prefixExtractor(PrefixExtractor.fixed(3)));
    CODE.put("all", options -> CODE.get("order").apply(CODE.get("merging").apply(CODE.get("prefix").apply(options))));
    FORMS.put("plain", options -> options);
    FORMS.put("checksums", options -> options);
    FORMS.put(
        "partitions",
        options -> options.table(
            TableOptions.defaults().option("index_type", "kTwoLevelIndexSearch").partitionFilters(true)
                .filter(TableFilter.bloom(10))));
  }

  NamedCodeCases(Path folder) {
    super(folder);
  }

  private static byte[] last(List<ByteView> operands) {
    return operands.getLast().toArray();
  }

  void codeIsKnownByItsNameAlone() {
    CODE.forEach((code, with) -> FORMS.forEach((form, of) -> {
      System.out.println(code + ", " + form);
      FamilyOptions options = of.apply(with.apply(FamilyOptions.defaults()));
      Path at = folder.resolve(code + form);
      try {
        Files.createDirectories(at);
        everything(at, form.equals("checksums"), options, code.equals("merging") || code.equals("all"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }));
  }

  private static void everything(Path at, boolean summed, FamilyOptions options, boolean merges) throws IOException {
    Path database = at.resolve("db");
    Opening opening = RocksDb.at(database).options(summed ? CHECKSUMS : DatabaseOptions.defaults()).defaults(options);
    try (RocksDb db = opening.open()) {
      fill(db, options, merges);
      back(at, options, db);
      copy(at, options, db);
      takeIn(at, options, db);
      db.files().verifyChecksums();
      if (summed) {
        db.files().verifyFileChecksums();
      }
    }
    try (RocksDb reading = opening.openReadOnly()) {
      check(reading);
    }
    Repair.of(database, DatabaseOptions.defaults(), options);
    open(database, options);
  }

  private static void fill(RocksDb db, FamilyOptions options, boolean merges) {
    for (int i = 0; i < 10; i++) {
      db.put(bytes("key" + i), bytes("value"));
    }
    deleteRange(db::deleteRange, options);
    if (merges) {
      db.merge(COUNTER, bytes("value"));
    }
    db.flush();
  }

  private static void check(RocksDb db) {
    require(db.get(bytes("key3")) == null, "a deleted row");
    require(Arrays.equals(bytes("value"), db.get(COUNTER)), "a row");
  }

  private static void open(Path database, FamilyOptions options) {
    try (RocksDb db = RocksDb.at(database).defaults(options).open()) {
      check(db);
    }
  }

  /** Backs up and restores the database, with backups of a database without Java callbacks in the same folder. */
  private static void back(Path at, FamilyOptions options, RocksDb db) {
    try (Backups backups = Backups.open(at.resolve("backups"));
        RocksDb other = RocksDb.open(at.resolve("other"))) {
      other.put(COUNTER, COUNTER);
      int first = backups.create(other).id();
      int second = backups.create(db).id();
      int again = backups.create(db).id();
      int last = backups.create(other).id();
      for (int id : new int[] {first, second, again, last}) {
        backups.verify(id);
        backups.restore(id, at.resolve("restored" + id));
      }
      open(at.resolve("restored" + second), options);
      open(at.resolve("restored" + again), options);
    }
  }

  private static void copy(Path at, FamilyOptions options, RocksDb db) throws IOException {
    db.files().checkpoint(at.resolve("checkpoint"));
    open(at.resolve("checkpoint"), options);
    Path copy = Files.createDirectory(at.resolve("copy"));
    try (DatabaseFiles.Hold hold = db.files().hold()) {
      for (DatabaseFiles.HeldFile file : hold.files()) {
        Files.copy(file.open(), copy.resolve(file.name()));
      }
    }
    open(copy, options);
  }

  /** Imports an exported family, and ingests a table file. */
  private static void takeIn(Path at, FamilyOptions options, RocksDb db) {
    try (FamilyFiles.ExportedFamily exported = db.files().export(at.resolve("export"))) {
      ColumnFamily imported = db.importFamily("imported", options, exported, FamilyFiles.ExportedFamily.Transfer.COPY);
      require(imported.get(bytes("key3")) == null, "a deleted row");
      require(Arrays.equals(bytes("value"), imported.get(COUNTER)), "a row");
      db.dropFamily(imported);
    }
    Path table = at.resolve("table.sst");
    try (TableWriter writer = TableWriter.create(table, options)) {
      writer.put(bytes("kez"), bytes("value"));
      deleteRange(writer::deleteRange, options);
      writer.finish();
    }
    db.files().ingest(table);
    require(db.get(bytes("kez")) != null, "an ingested row");
  }

  private static void deleteRange(BiConsumer<byte[], byte[]> keys, FamilyOptions options) {
    boolean backward = options.toString().contains("an order");
    keys.accept(bytes(backward ? "key4" : "key2"), bytes(backward ? "key2" : "key4"));
  }
}
