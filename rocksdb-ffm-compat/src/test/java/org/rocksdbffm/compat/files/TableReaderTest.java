/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;

/** SST files that are read without a database. */
class TableReaderTest {
  @TempDir Path folder;
  private Options options;
  private ReadOptions read;
  private SstFileReader reader;

  @BeforeEach
  void open() {
    RocksDB.loadLibrary();
    options = new Options();
    read = new ReadOptions();
    reader = new SstFileReader(options);
  }

  @AfterEach
  void close() {
    reader.close();
    read.close();
    options.close();
  }

  private String table(String name, String... keys) throws RocksDBException {
    String file = folder.resolve(name).toString();
    try (EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options)) {
      writer.open(file);
      for (String key : keys) {
        writer.put(key.getBytes(UTF_8), ("value of " + key).getBytes(UTF_8));
      }
      writer.finish();
    }
    return file;
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    try (SstFileReaderIterator rows = reader.newIterator(read)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        keys.add(new String(rows.key(), UTF_8));
      }
    }
    return keys;
  }

  @Test
  @Tag("oracle")
  void aTableIsReadAndVerifiedAndDescribed() throws RocksDBException {
    reader.open(table("table", "a", "b", "c"));
    assertEquals(List.of("a", "b", "c"), keys());
    try (SstFileReaderIterator rows = reader.newIterator(read)) {
      rows.seekForPrev("bb".getBytes(UTF_8));
      assertArrayEquals("value of b".getBytes(UTF_8), rows.value());
    }
    reader.verifyChecksum();
    assertEquals(3, reader.getTableProperties().getNumEntries());
  }

  @Test
  @Tag("oracle")
  void aDamagedTableIsTold() throws Exception {
    Path file = Path.of(table("table", "a", "b", "c"));
    byte[] bytes = Files.readAllBytes(file);
    bytes[10] ^= 1;
    Files.write(file, bytes);
    reader.open(file.toString());
    RocksDBException failure = assertThrows(RocksDBException.class, reader::verifyChecksum);
    assertEquals(Status.Code.Corruption, failure.getStatus().getCode());
    assertThrows(RocksDBException.class, () -> reader.open(folder.resolve("none").toString()));
  }

  @Test
  void aReaderWithoutATableSaysSo() throws RocksDBException {
    for (Executable use :
        List.<Executable>of(() -> reader.newIterator(read), reader::verifyChecksum, reader::getTableProperties)) {
      assertEquals(
          "SstFileReader has no table: open() one first",
          assertThrows(IllegalStateException.class, use).getMessage());
    }
  }

  @Test
  void anotherTableClosesTheIteratorsOverTheFirst() throws RocksDBException {
    reader.open(table("one", "a", "b"));
    SstFileReaderIterator rows = reader.newIterator(read);
    rows.seekToFirst();
    reader.open(table("two", "x"));
    assertFalse(rows.isOwningHandle());
    assertThrows(AssertionError.class, rows::next); // rocksdbjni's assertion, which is enabled in tests
    assertEquals(List.of("x"), keys());
    rows.close();
    SstFileReaderIterator last = reader.newIterator(read);
    reader.close();
    assertFalse(last.isOwningHandle());
    assertThrows(IllegalStateException.class, () -> reader.open(folder.resolve("one").toString()));
    assertTrue(Files.exists(folder.resolve("one")));
  }
}
