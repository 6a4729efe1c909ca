/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** The base of ingestion tests: table files, and a database that ingests them. */
@ExtendWith(LiveObjectsCheck.class)
abstract class IngestCase {
  static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  static final FamilyFiles.IngestOptions MOVE = FamilyFiles.IngestOptions.defaults().move(true);
  @TempDir Path folder;
  private int files;

  static byte[] key(int number) {
    return bytes("%04d".formatted(number));
  }

  static String read(KeyReader reader, String key) {
    byte[] value = reader.get(bytes(key));
    return value == null ? null : new String(value);
  }

  RocksDb open() {
    return RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open();
  }

  Path file(FamilyOptions options, Consumer<TableWriter> rows) {
    Path file = folder.resolve("file" + files++ + ".sst");
    try (TableWriter table = TableWriter.create(file, options)) {
      rows.accept(table);
      table.finish();
      return file;
    }
  }

  Path file(String key, String value) {
    return file(OPTIONS, table -> table.put(bytes(key), bytes(value)));
  }

  static RocksDbException refused(Code code, String words, Executable tried) {
    RocksDbException refused = assertThrowsExactly(RocksDbException.class, tried);
    assertEquals(code, refused.code(), refused.getMessage());
    assertTrue(refused.getMessage().contains(words), refused.getMessage());
    return refused;
  }
}
