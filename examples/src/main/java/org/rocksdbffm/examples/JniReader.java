/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads the rows by rocksdbjni, with a separate block cache. */
final class JniReader implements AutoCloseable {
  private final LRUCache cache;
  private final Options options;
  private final ReadOptions readOptions;
  private final RocksDB db;

  /**
   * Opens without a list of column families, as rocksdb-ffm does if there is only the default one: the engine then uses
   * a faster read path for fully compacted databases.
   */
  JniReader(Path folder, long cacheSize) throws RocksDBException {
    RocksDB.loadLibrary();
    cache = new LRUCache(cacheSize);
    readOptions = new ReadOptions();
    options = new Options().setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    db = RocksDB.openReadOnly(options, folder.toString());
  }

  List<Form> forms(Rows rows) {
    return List.of(intoNewArray(rows), intoArray(rows), intoDirectBuffer(rows));
  }

  private Form intoNewArray(Rows rows) {
    byte[][] keys = rows.keys();
    return new Form(
        "rocksdbjni, a new byte[]",
        row -> {
          byte[] value = db.get(keys[row]);
          return value.length + value[0];
        },
        row -> db.get(keys[row]));
  }

  private Form intoArray(Rows rows) {
    byte[][] keys = rows.keys();
    byte[] target = new byte[rows.valueSize()];
    return new Form(
        "rocksdbjni, into a byte[]",
        row -> db.get(keys[row], target) + target[0],
        row -> Arrays.copyOf(target, db.get(keys[row], target)));
  }

  private Form intoDirectBuffer(Rows rows) {
    ByteBuffer[] keys = Stream.of(rows.keys()).map(JniReader::direct).toArray(ByteBuffer[]::new);
    ByteBuffer target = ByteBuffer.allocateDirect(rows.valueSize());
    return new Form(
        "rocksdbjni, direct buffer",
        row -> get(keys[row], target) + target.get(0),
        row -> {
          byte[] value = new byte[get(keys[row], target)];
          target.get(0, value);
          return value;
        });
  }

  private int get(ByteBuffer key, ByteBuffer target) throws RocksDBException {
    return db.get(readOptions, key.rewind(), target.clear());
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  @Override
  public void close() {
    db.close();
    readOptions.close();
    options.close();
    cache.close();
  }
}
