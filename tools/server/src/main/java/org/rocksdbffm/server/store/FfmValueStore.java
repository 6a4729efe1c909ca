/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.Pins;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.netty.ByteBufKeySpace;

/** A database of this library. Values are pinned in the engine's memory, or copied into pooled buffers. */
public final class FfmValueStore implements ValueStore {
  static final ByteSize CACHE_SIZE = ByteSize.mib(256);

  private final RocksDb db;
  private final KeySpace inMemory;
  private final ByteBufKeySpace waiting;
  private final ByteBufKeySpace impatient;

  /**
   * Opens a database.
   *
   * @param copyLimit values up to this size are copied into pooled buffers, larger ones pinned
   * @param pinnedBytes the maximum of all pinned values
   */
  public FfmValueStore(Path folder, ByteBufAllocator allocator, int copyLimit, long pinnedBytes) {
    try (BlockCache cache = BlockCache.lru(CACHE_SIZE)) {
      db =
          RocksDb.at(folder).defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache))).open();
    }
    db.pins().limit(Pins.Limits.none().maxBytes(ByteSize.bytes(pinnedBytes)));
    inMemory =
        db.with(ReadOptions.defaults().tier(ReadOptions.Tier.BLOCK_CACHE))
            .with(WriteOptions.defaults().noSlowdown(true));
    waiting = new ByteBufKeySpace(db, allocator, copyLimit);
    impatient = new ByteBufKeySpace(inMemory, allocator, copyLimit);
  }

  private <T> T ask(boolean mayWait, Supplier<T> question) {
    try {
      return question.get();
    } catch (RocksDbException e) {
      throw mayWait ? e : incompleteAsWait(e);
    }
  }

  private static RuntimeException incompleteAsWait(RocksDbException e) {
    return e.code() == RocksDbException.Code.INCOMPLETE ? new WouldWait(e) : e;
  }

  private ByteBufKeySpace space(boolean mayWait) {
    return mayWait ? waiting : impatient;
  }

  @Override
  public ByteBuf get(ByteBuf key, boolean mayWait) {
    return ask(mayWait, () -> space(mayWait).get(key));
  }

  @Override
  public long getInto(ByteBuf key, ByteBuf target, Consumer<ByteBuf> otherwise) {
    try {
      return impatient.getInto(key, target, otherwise);
    } catch (RocksDbException e) {
      throw incompleteAsWait(e);
    }
  }

  /** Uses a cursor over this key, which does not copy the value. */
  @Override
  public long size(ByteBuf key, boolean mayWait) {
    byte[] from = ByteBufUtil.getBytes(key);
    KeyRange itself = KeyRange.between(from, Arrays.copyOf(from, from.length + 1));
    return ask(
        mayWait,
        () -> {
          try (Cursor cursor = (mayWait ? db : inMemory).cursor(itself)) {
            return cursor.first() ? cursor.valueSize() : -1L;
          }
        });
  }

  @Override
  public void put(ByteBuf key, ByteBuf value, boolean mayWait) {
    ask(
        mayWait,
        () -> {
          space(mayWait).put(key, value);
          return null;
        });
  }

  @Override
  public boolean delete(ByteBuf key) {
    boolean isThere = size(key, true) >= 0;
    if (isThere) {
      waiting.delete(key);
    }
    return isThere;
  }

  @Override
  public void keys(byte[] from, Predicate<byte[]> more) {
    try (Scan scan = db.scan(KeyRange.from(from))) {
      while (scan.next() && more.test(scan.keyBytes())) {
        // The predicate takes the keys.
      }
    }
  }

  @Override
  public long estimatedCount() {
    return db.metrics().longProperty("rocksdb.estimate-num-keys").orElse(0);
  }

  @Override
  public long pins() {
    return db.pins().count();
  }

  @Override
  public long pinnedBytes() {
    return db.pins().size().bytes();
  }

  @Override
  public void close() {
    db.close();
  }
}
