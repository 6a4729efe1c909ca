/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.Columns;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyFiles.LiveFile;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableReader;
import org.rocksdbffm.TableReader.Kind;

/** Tests that table files are read without a database, with their deletions, and that their properties are listed. */
final class TableReaderTest extends IngestCase {
  private static List<String> entries(Path file) {
    List<String> entries = new ArrayList<>();
    TableReader.of(file).forEach((kind, sequence, key, value) -> {
      assertTrue(key.isReadOnly() && value.isReadOnly());
      entries.add(kind + " " + text(key) + "@" + sequence + (value.byteSize() == 0 ? "" : "=" + text(value)));
    });
    return entries;
  }

  private static String text(MemorySegment bytes) {
    return new String(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void aWrittenFileHasAllItsEntries() {
    Path file =
        file(OPTIONS, table -> {
          table.put(bytes("a"), bytes("1"));
          table.delete(bytes("b"));
          table.merge(bytes("c"), bytes("2"));
          table.deleteRange(bytes("d"), bytes("f"));
          table.deleteRange(bytes("d"), bytes("e"));
          table.put(bytes("g"), bytes(""));
        });
    assertEquals(
        List.of(
            "RANGE_DELETION d@0=f", "RANGE_DELETION d@0=e", "VALUE a@0=1", "DELETION b@0", "OPERAND c@0=2",
            "VALUE g@0"),
        entries(file));
  }

  @Test
  void aDatabasesFileHasEachVersionThatASnapshotNeeds() {
    try (RocksDb db = open()) {
      db.put(bytes("a"), bytes("1"));
      db.put(bytes("b"), bytes("1"));
      try (Snapshot _ = db.snapshot()) {
        db.put(bytes("a"), bytes("2"));
        db.singleDelete(bytes("b"));
        db.putEntity(bytes("c"), new Columns().add("x", bytes("y")));
        db.flush();
      }
      List<String> entries = entries(db.files().live().getFirst().path());
      assertEquals(
          List.of("VALUE a@3=2", "VALUE a@1=1", "SINGLE_DELETION b@4", "VALUE b@2=1"), entries.subList(0, 4));
      assertTrue(entries.get(4).startsWith("ENTITY c@5="), entries.get(4));
    }
  }

  @Test
  void aLocationInABlobFileIsNoValue() {
    FamilyOptions blobs = FamilyOptions.defaults().option("enable_blob_files", true);
    try (RocksDb db = RocksDb.at(folder.resolve("blobs")).defaults(blobs).open()) {
      db.put(bytes("a"), new byte[100]);
      db.flush();
      List<Kind> kinds = new ArrayList<>();
      TableReader.of(db.files().live().getFirst().path()).forEach((kind, sequence, key, value) -> kinds.add(kind));
      assertEquals(List.of(Kind.BLOB), kinds);
    }
  }

  @Test
  void anEncryptedFileIsReadWithItsKeysAlone() {
    EncryptionKeys keys = () -> List.of(new EncryptionKeys.Key("k1", new byte[32]));
    DatabaseOptions encrypted = DatabaseOptions.defaults().encryption(keys);
    try (RocksDb db = RocksDb.at(folder.resolve("encrypted")).options(encrypted).open()) {
      db.put(bytes("a"), bytes("1"));
      db.flush();
      Path file = db.files().live().getFirst().path();
      assertEquals(List.of("VALUE a@1=1"), keys.use(() -> entries(file)));
      refused(Code.INVALID_ARGUMENT, "is encrypted", () -> entries(file));
      refused(Code.INVALID_ARGUMENT, "is encrypted", () -> TableReader.of(file).properties());
      assertEquals(1, db.files().properties(KeyRange.all()).size());
    }
  }

  @Test
  void filesThatAreNoTablesAreRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("text.sst"), "no table".repeat(100));
    refused(Code.CORRUPTION, "it is no table file", () -> entries(text));
    refused(Code.CORRUPTION, "it is no table file", () -> TableReader.of(text).properties());
    Path missing = folder.resolve("missing.sst");
    refused(Code.IO_ERROR, "missing.sst", () -> entries(missing));
    Path file = file(OPTIONS.compression(Compression.NONE), table -> {
      for (int i = 0; i < 5000; i++) {
        table.put(key(i), key(i));
      }
    });
    byte[] content = Files.readAllBytes(file);
    content[20_000] ^= 1;
    Files.write(file, content);
    refused(Code.CORRUPTION, "checksum", () -> entries(file));
  }

  @Test
  void anExceptionOfTheVisitorEndsTheVisit() {
    Path file = file("a", "1");
    IllegalStateException thrown = new IllegalStateException("enough");
    assertEquals(
        thrown,
        assertThrowsExactly(
            IllegalStateException.class,
            () -> TableReader.of(file).forEach((kind, sequence, key, value) -> { throw thrown; })));
    assertEquals(List.of("VALUE a@0=1"), entries(file));
  }

  @Test
  void propertiesAreTextsAndNumbers() {
    Path file =
        file(OPTIONS.compression(Compression.LZ4), table -> {
          table.put(bytes("a"), bytes("1"));
          table.deleteRange(bytes("d"), bytes("f"));
        });
    TableReader.Properties properties = TableReader.of(file).properties();
    assertEquals(OptionalLong.of(1), properties.number("rocksdb.num.range-deletions"));
    assertEquals("leveldb.BytewiseComparator", properties.text("rocksdb.comparator").orElseThrow());
    assertTrue(properties.names().contains("rocksdb.raw.key.size"));
    assertEquals(OptionalLong.empty(), properties.number("rocksdb.comparator"));
    assertEquals(OptionalLong.empty(), properties.number("missing"));
    assertFalse(properties.text("missing").isPresent());
  }

  @Test
  void theFilesOfARangeHaveTheirProperties() {
    FamilyOptions manual = OPTIONS.option("disable_auto_compactions", true);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(manual).open()) {
      for (int i = 0; i < 5; i++) {
        db.put(key(i), key(i));
        db.flush();
      }
      Map<LiveFile, TableReader.Properties> all = db.files().properties(KeyRange.all());
      assertEquals(5, all.size());
      all.forEach((file, properties) ->
          assertEquals(OptionalLong.of(file.entries()), properties.number("rocksdb.num.entries")));
      List<LiveFile> some = List.copyOf(db.files().properties(KeyRange.closed(key(1), key(2))).keySet());
      assertEquals(2, some.size());
      assertArrayEquals(key(2), some.getFirst().smallestKey());
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(manual).openReadOnly()) {
      assertEquals(5, db.files().properties(KeyRange.all()).size());
    }
  }
}
