/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Values are read into buffers to which native code must not write. */
final class TargetBufferTest {
  private static final int[] SIZES = {1, 100, 4096, 1 << 16, 1 << 18};
  private static final int LARGEST = 1 << 18;

  @TempDir Path folder;

  private Options options;
  private ReadOptions read;
  private RocksDB db;

  @BeforeEach
  void writeValues() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new Options().setCreateIfMissing(true);
    read = new ReadOptions();
    db = RocksDB.open(options, folder.resolve("db").toString());
    for (int size : SIZES) {
      db.put(key(size), value(size).array());
    }
  }

  @AfterEach
  void close() {
    db.close();
    read.close();
    options.close();
  }

  private static byte[] key(int size) {
    return "value of %7d".formatted(size).getBytes(UTF_8);
  }

  private static ByteBuffer keyBuffer(int size) {
    return ByteBuffer.allocateDirect(key(size).length).put(key(size)).flip();
  }

  private static ByteBuffer value(int size) {
    byte[] value = new byte[size];
    new Random(size).nextBytes(value);
    return ByteBuffer.wrap(value);
  }

  @Test
  void aReadOnlyBufferIsRefusedAndStaysAsItWas() {
    for (int size : SIZES) {
      ByteBuffer memory = ByteBuffer.allocateDirect(size);
      assertThrows(Exception.class, () ->
          db.get(read, keyBuffer(size), memory.asReadOnlyBuffer()), () -> "size " + size);
      assertEquals(ByteBuffer.allocate(size), memory);
    }
  }

  @Test
  void aReadOnlyBufferIsRefusedByIterators() {
    try (RocksIterator iterator = db.newIterator(read)) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        ByteBuffer memory = ByteBuffer.allocateDirect(LARGEST);
        assertThrows(Exception.class, () -> iterator.value(memory.asReadOnlyBuffer()));
        assertThrows(Exception.class, () -> iterator.key(memory.asReadOnlyBuffer()));
        assertEquals(ByteBuffer.allocate(LARGEST), memory);
      }
    }
  }

  @Test
  void aMappedFileIsReadIntoLikeOtherMemory() throws IOException, RocksDBException {
    try (FileChannel file = mapped()) {
      ByteBuffer target = file.map(MapMode.READ_WRITE, 0, LARGEST);
      for (int size : SIZES) {
        assertEquals(size, db.get(read, keyBuffer(size), target.clear()));
        assertEquals(value(size), target);
      }
      try (RocksIterator iterator = db.newIterator(read)) {
        for (int size : SIZES) {
          iterator.seek(key(size));
          assertEquals(size, iterator.value(target.clear()));
          assertEquals(value(size), target);
        }
      }
    }
  }

  @Test
  void aFileThatShrankBelowItsMappingIsAnErrorOfTheJvmAndNotItsEnd() throws IOException {
    try (FileChannel file = mapped()) {
      ByteBuffer target = file.map(MapMode.READ_WRITE, 0, LARGEST);
      file.truncate(0);
      for (int size : SIZES) {
        assertThrows(InternalError.class, () -> db.get(read, keyBuffer(size), target.clear()), () -> "size " + size);
      }
    }
  }

  @Test
  void memoryThatWasFreedIsRefused() {
    ByteBuffer target;
    try (Arena arena = Arena.ofConfined()) {
      target = arena.allocate(LARGEST).asByteBuffer();
    }
    for (int size : SIZES) {
      assertThrows(IllegalStateException.class, () ->
          db.get(read, keyBuffer(size), target.clear()), () -> "size " + size);
    }
  }

  private FileChannel mapped() throws IOException {
    return FileChannel.open(
        folder.resolve("mapped"), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }
}
