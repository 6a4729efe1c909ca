/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** The same database through rocksdbjni, the way that is usual there: each key and each value an array on the heap. */
final class JniStore implements Store {
  private final LRUCache cache;
  private final Options options;
  private final RocksDB db;

  JniStore(Path folder) {
    RocksDB.loadLibrary();
    cache = new LRUCache(FfmStore.CACHE_SIZE.bytes());
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
    if (value.length <= Answers.MOST_GATHERED && value.length <= target.writableBytes()) {
      target.writeBytes(value);
    } else {
      otherwise.accept(bufferOf(value));
    }
    return value.length;
  }

  @Override
  public List<ByteBuf> multiGet(List<ByteBuf> keys, boolean mayWait) {
    List<byte[]> arrays = keys.stream().map(ByteBufUtil::getBytes).toList();
    List<ByteBuf> values = new ArrayList<>(keys.size());
    ask(() -> db.multiGetAsList(arrays)).forEach(value -> values.add(bufferOf(value)));
    return values;
  }

  @Override
  public long size(ByteBuf key, boolean mayWait) {
    return ask(() -> (long) db.get(ByteBufUtil.getBytes(key), new byte[0]));
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
  public long delete(List<ByteBuf> keys) {
    long count = 0;
    for (ByteBuf key : keys) {
      byte[] array = ByteBufUtil.getBytes(key);
      if (size(key, true) >= 0) {
        ask(
            () -> {
              db.delete(array);
              return null;
            });
        count++;
      }
    }
    return count;
  }

  @Override
  public List<byte[]> keys(byte[] from, int count) {
    List<byte[]> keys = new ArrayList<>();
    try (RocksIterator rows = db.newIterator()) {
      for (rows.seek(from); keys.size() < count && rows.isValid(); rows.next()) {
        keys.add(rows.key());
      }
    }
    return keys;
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
