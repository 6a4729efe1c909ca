/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A database of rocksdbjni, used in its common way: each key and each value is an array on the heap. */
public final class JniValueStore implements ValueStore {
  private static final byte[] NO_ROOM = {};

  private final LRUCache cache;
  private final Options options;
  private final RocksDB db;

  public JniValueStore(Path folder) {
    RocksDB.loadLibrary();
    cache = new LRUCache(FfmValueStore.CACHE_SIZE.bytes());
    options =
        new Options().setCreateIfMissing(true).setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    try {
      db = RocksDB.open(options, folder.toString());
    } catch (RocksDBException e) {
      options.close();
      cache.close();
      throw new IllegalStateException(e);
    }
  }

  private interface Question<T> {
    T ask() throws RocksDBException;
  }

  private static <T> T ask(Question<T> question) {
    try {
      return question.ask();
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ByteBuf bufferOf(byte[] value) {
    return value == null ? null : Unpooled.wrappedBuffer(value);
  }

  @Override
  public ByteBuf get(ByteBuf key, boolean mayWait) {
    return bufferOf(ask(() -> db.get(ByteBufUtil.getBytes(key))));
  }

  @Override
  public long getInto(ByteBuf key, ByteBuf target, Consumer<ByteBuf> otherwise) {
    byte[] value;
    try {
      value = db.get(ByteBufUtil.getBytes(key));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
    if (value == null) {
      return -1;
    }
    if (value.length <= MOST_GATHERED && value.length <= target.writableBytes()) {
      target.writeBytes(value);
    } else {
      otherwise.accept(bufferOf(value));
    }
    return value.length;
  }

  @Override
  public long size(ByteBuf key, boolean mayWait) {
    return ask(() -> (long) db.get(ByteBufUtil.getBytes(key), NO_ROOM));
  }

  @Override
  public void put(ByteBuf key, ByteBuf value, boolean mayWait) {
    ask(
        () -> {
          db.put(ByteBufUtil.getBytes(key), ByteBufUtil.getBytes(value));
          return null;
        });
  }

  @Override
  public boolean delete(ByteBuf key) {
    boolean isThere = size(key, true) >= 0;
    if (isThere) {
      ask(
          () -> {
            db.delete(ByteBufUtil.getBytes(key));
            return null;
          });
    }
    return isThere;
  }

  @Override
  public void keys(byte[] from, Predicate<byte[]> more) {
    try (RocksIterator rows = db.newIterator()) {
      for (rows.seek(from); rows.isValid() && more.test(rows.key()); rows.next()) {
        // Another thread is counting.
      }
    }
  }

  @Override
  public long estimatedCount() {
    return ask(() -> db.getLongProperty("rocksdb.estimate-num-keys"));
  }

  @Override
  public long pins() {
    return 0;
  }

  @Override
  public long pinnedBytes() {
    return 0;
  }

  @Override
  public void close() {
    db.close();
    options.close();
    cache.close();
  }
}
