/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableOptions;

/** Reads the rows by rocksdb-ffm, with a separate block cache. */
final class FfmReader implements AutoCloseable {
  private final BlockCache cache;
  private final RocksDb db;
  private final Arena arena = Arena.ofConfined();

  FfmReader(Path folder, long cacheSize) {
    cache = BlockCache.lru(ByteSize.bytes(cacheSize));
    db = RocksDb.at(folder).defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache)))
        .openReadOnly();
  }

  List<Form> forms(Rows rows) {
    return List.of(intoNewArray(rows), intoSegment(rows), pinned(rows));
  }

  private Form intoNewArray(Rows rows) {
    byte[][] keys = rows.keys();
    return new Form(
        "get, a new byte[]",
        row -> {
          byte[] value = db.get(keys[row]);
          return value.length + value[0];
        },
        row -> db.get(keys[row]));
  }

  private Form intoSegment(Rows rows) {
    MemorySegment[] keys =
        Stream.of(rows.keys())
            .map(key -> arena.allocateFrom(ValueLayout.JAVA_BYTE, key))
            .toArray(MemorySegment[]::new);
    MemorySegment target = arena.allocate(rows.valueSize());
    return new Form(
        "getInto, native memory",
        row -> db.getInto(keys[row], target) + target.get(ValueLayout.JAVA_BYTE, 0),
        row -> target.asSlice(0, db.getInto(keys[row], target)).toArray(ValueLayout.JAVA_BYTE));
  }

  private Form pinned(Rows rows) {
    byte[][] keys = rows.keys();
    return new Form(
        "getPinned, no copy",
        row -> {
          try (PinnedValue value = db.getPinned(keys[row])) {
            return value.size() + value.segment().get(ValueLayout.JAVA_BYTE, 0);
          }
        },
        row -> {
          try (PinnedValue value = db.getPinned(keys[row])) {
            return value.segment().toArray(ValueLayout.JAVA_BYTE);
          }
        });
  }

  @Override
  public void close() {
    db.close();
    cache.close();
    arena.close();
  }
}
