/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyFiles.ExportedFamily;
import org.rocksdbffm.FamilyFiles.ExportedFamily.Transfer;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that a saved export is imported by another process. */
@ExtendWith(LiveObjectsCheck.class)
final class SavedExportTest {
  private static final EncryptionKeys KEYS = () -> List.of(new EncryptionKeys.Key("k1", new byte[32]));
  private static final FamilyOptions SMALL_FILES =
      FamilyOptions.defaults().option("target_file_size_base", 64 << 10).option("disable_auto_compactions", true);
  private static final int ROWS = 3000;

  @TempDir Path folder;

  private static byte[] key(int number) {
    return bytes("%05d".formatted(number));
  }

  /** Writes files on several levels, some with range deletions across the bounds of files. */
  private static void fill(ColumnFamily family) {
    for (int i = 0; i < ROWS; i++) {
      family.put(key(i), new byte[200]);
    }
    family.flush();
    family.compact(KeyRange.all());
    family.deleteRange(key(100), key(2000));
    for (int i = 0; i < ROWS; i += 3) {
      family.put(key(i), bytes("v" + i));
    }
    family.flush();
    family.put(key(7), bytes("newest"));
    family.flush();
  }

  private Path export(DatabaseOptions options) {
    Path exported = folder.resolve("exported");
    try (RocksDb db = RocksDb.at(folder.resolve("from")).options(options).defaults(SMALL_FILES).open();
        ColumnFamily family = db.createFamily("family", SMALL_FILES)) {
      fill(family);
      try (ExportedFamily export = family.files().export(exported)) {
        export.save();
        export.save();
      }
    }
    return exported;
  }

  private static void importAndCompare(Path folder) {
    try (RocksDb from =
            RocksDb.at(folder.resolve("from")).defaults(SMALL_FILES).families(Map.of("family", SMALL_FILES)).open();
        RocksDb to = RocksDb.open(folder.resolve("to"));
        ExportedFamily export = ExportedFamily.open(folder.resolve("elsewhere"))) {
      for (Transfer transfer : Transfer.values()) {
        ColumnFamily imported = to.importFamily("by " + transfer, SMALL_FILES, export, transfer);
        ColumnFamily original = from.family("family");
        assertEquals(
            original.files().levels().stream().map(level -> level.files().size()).toList(),
            imported.files().levels().stream().map(level -> level.files().size()).toList());
        assertSameRows(original, imported);
        imported.compact(KeyRange.all());
        assertSameRows(original, imported);
        assertNull(imported.get(key(1000)));
        assertArrayEquals(bytes("newest"), imported.get(key(7)));
      }
    }
  }

  private static void assertSameRows(ColumnFamily one, ColumnFamily other) {
    try (Scan rows = one.scan(KeyRange.all());
        Scan same = other.scan(KeyRange.all())) {
      while (rows.next()) {
        assertTrue(same.next());
        assertArrayEquals(rows.keyBytes(), same.keyBytes());
        assertArrayEquals(rows.valueBytes(), same.valueBytes());
      }
      assertFalse(same.next());
    }
  }

  static final class Importing {
    private Importing() {}

    public static void main(String[] arguments) {
      importAndCompare(Path.of(arguments[0]));
    }
  }

  @Test
  void anotherProcessImportsTheFamilyFromAnotherFolder() throws Exception {
    Files.move(export(DatabaseOptions.defaults()), folder.resolve("elsewhere"));
    ChildJvm.of(Importing.class).run(folder.toString()).assertExit(0);
  }

  @Test
  void theDescriptionIsEncryptedLikeTheFiles() throws IOException {
    DatabaseOptions encrypted = DatabaseOptions.defaults().encryption(KEYS);
    Path exported = export(encrypted);
    String description = Files.readString(exported.resolve("EXPORT"), StandardCharsets.ISO_8859_1);
    assertTrue(description.startsWith("ffm-aes\n"));
    assertFalse(description.contains("leveldb"));
    refused(Code.INVALID_ARGUMENT, "is encrypted", exported);
    try (RocksDb to = RocksDb.at(folder.resolve("to")).options(encrypted).open();
        ExportedFamily export = KEYS.use(() -> ExportedFamily.open(exported))) {
      ColumnFamily imported = to.importFamily("imported", SMALL_FILES, export, Transfer.COPY);
      assertArrayEquals(bytes("newest"), imported.get(key(7)));
      export.save();
    }
  }

  private static void refused(Code code, String words, Path folder) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, () -> ExportedFamily.open(folder));
    assertEquals(code, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(words), refused.getMessage());
  }

  @Test
  void aMissingOrDamagedDescriptionIsRefused() throws IOException {
    Path exported = export(DatabaseOptions.defaults());
    Path description = exported.resolve("EXPORT");
    byte[] saved = Files.readAllBytes(description);
    for (int at : new int[] {0, 12, 40, saved.length - 1}) {
      byte[] damaged = saved.clone();
      damaged[at] ^= 1;
      Files.write(description, damaged);
      refused(Code.CORRUPTION, "EXPORT cannot be read", exported);
    }
    Files.write(description, Arrays.copyOf(saved, saved.length / 2));
    refused(Code.CORRUPTION, "EXPORT cannot be read", exported);
    Files.delete(description);
    refused(Code.IO_ERROR, "save the export", exported);
    refused(Code.IO_ERROR, "No such file", folder.resolve("missing"));
  }
}
