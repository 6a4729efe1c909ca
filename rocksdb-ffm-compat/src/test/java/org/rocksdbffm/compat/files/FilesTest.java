/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DirectSlice;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.StringAppendOperator;

/** Copies of databases, and SST files written outside a database. */
@Tag("oracle")
class FilesTest {
  @TempDir Path folder;
  private Options options;
  private RocksDB db;

  @BeforeEach
  void open() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true).setMergeOperator(new StringAppendOperator(','));
    db = RocksDB.open(options, folder.resolve("db").toString());
  }

  @AfterEach
  void close() {
    db.close();
    options.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void aCheckpointHasWhatWasThereAndNothingOfWhatCameLater() throws RocksDBException {
    db.put(bytes("k"), bytes("old"));
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(folder.resolve("copy").toString());
      db.put(bytes("k"), bytes("new"));
      try (RocksDB copy = RocksDB.openReadOnly(options, folder.resolve("copy").toString())) {
        assertArrayEquals(bytes("old"), copy.get(bytes("k")));
      }
      RocksDBException failure =
          assertThrows(
              RocksDBException.class, () -> checkpoint.createCheckpoint(folder.resolve("copy").toString()));
      assertEquals(Status.Code.InvalidArgument, failure.getStatus().getCode());
    }
  }

  @Test
  void aTableOfEveryKindOfKeyIsIngested() throws RocksDBException {
    String file = folder.resolve("table.sst").toString();
    try (EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        Slice sliceKey = new Slice("b");
        Slice sliceValue = new Slice("of a slice");
        DirectSlice directKey = new DirectSlice(direct("c"), 1);
        DirectSlice directValue = new DirectSlice(direct("of a buffer"), 11);
        Slice deleted = new Slice("f")) {
      RocksDBException notOpen = assertThrows(RocksDBException.class, () -> writer.put(bytes("a"), bytes("b")));
      assertEquals(Status.Code.InvalidArgument, notOpen.getStatus().getCode());
      writer.open(file);
      writer.put(bytes("a"), bytes("of an array"));
      writer.put(sliceKey, sliceValue);
      writer.put(directKey, directValue);
      writer.put(direct("d"), direct("direct"));
      writer.merge(bytes("e"), bytes("1"));
      writer.delete(deleted);
      writer.delete(bytes("g"));
      assertThrows(RocksDBException.class, () -> writer.put(bytes("a"), bytes("out of order")));
      writer.finish();
      assertEquals(Files.exists(Path.of(file)), writer.fileSize() > 0);
      assertThrows(RocksDBException.class, writer::finish);
    }
    db.put(bytes("e"), bytes("0"));
    db.put(bytes("f"), bytes("gone"));
    db.put(bytes("g"), bytes("gone"));
    try (IngestExternalFileOptions ingest = new IngestExternalFileOptions()) {
      db.ingestExternalFile(List.of(file), ingest);
      assertThrows(
          RocksDBException.class, () -> db.ingestExternalFile(List.of(folder.resolve("none").toString()), ingest));
    }
    assertArrayEquals(bytes("of an array"), db.get(bytes("a")));
    assertArrayEquals(bytes("of a slice"), db.get(bytes("b")));
    assertArrayEquals(bytes("of a buffer"), db.get(bytes("c")));
    assertArrayEquals(bytes("direct"), db.get(bytes("d")));
    assertArrayEquals(bytes("0,1"), db.get(bytes("e")));
    assertNull(db.get(bytes("f")));
    assertNull(db.get(bytes("g")));
  }

  private static ByteBuffer direct(String text) {
    return ByteBuffer.allocateDirect(text.length()).put(bytes(text)).flip();
  }

  @Test
  void aFileIsIngestedIntoTheFamilyThatIsNamed() throws RocksDBException {
    String file = folder.resolve("table.sst").toString();
    try (EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options);
        IngestExternalFileOptions ingest = new IngestExternalFileOptions().setMoveFiles(true)) {
      writer.open(file);
      writer.put(bytes("k"), bytes("v"));
      writer.finish();
      ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(bytes("f")));
      db.ingestExternalFile(family, List.of(file), ingest);
      assertArrayEquals(bytes("v"), db.get(family, bytes("k")));
      assertNull(db.get(bytes("k")));
      assertFalse(Files.exists(Path.of(file)));
    }
  }

  @Test
  void aFileThatIsNotFinishedIsGivenUp() throws RocksDBException {
    try (EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options)) {
      writer.open(folder.resolve("table.sst").toString());
      writer.put(bytes("k"), bytes("v"));
    }
    try (EnvOptions env = new EnvOptions();
        SstFileWriter writer = new SstFileWriter(env, options)) {
      writer.open(folder.resolve("empty.sst").toString());
      assertTrue(
          assertThrows(RocksDBException.class, writer::finish).getMessage().contains("no entries"));
    }
  }
}
