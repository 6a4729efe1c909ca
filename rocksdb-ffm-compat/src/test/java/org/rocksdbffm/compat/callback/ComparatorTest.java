/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.callback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReusedSynchronisationType;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.WriteBatchWithIndex;

/** Java comparators get the buffers that their options select. */
final class ComparatorTest {
  private static final List<String> SHORTEST_FIRST = List.of("c", "ba", "bb", "aaa", "a".repeat(40), "b".repeat(200));

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  /** Sorts shorter keys first, and records the buffers that it gets. */
  private static final class ByLength extends AbstractComparator {
    final Set<Boolean> directness = ConcurrentHashMap.newKeySet();
    final Set<Integer> capacities = ConcurrentHashMap.newKeySet();
    volatile RuntimeException broken;

    ByLength(ComparatorOptions options) {
      super(options);
    }

    @Override
    public String name() {
      return "by length";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
      if (broken != null) {
        throw broken;
      }
      directness.add(a.isDirect());
      directness.add(b.isDirect());
      capacities.add(a.capacity());
      int order = Integer.compare(a.remaining(), b.remaining());
      return order != 0 ? order : a.compareTo(b);
    }
  }

  /** The Java object may be collected before the native comparator is destroyed, so its name is read early. */
  @Test
  void theNamesOfComparatorsAreThoseThatTheyHadWhenTheyWereMade() {
    AtomicInteger asked = new AtomicInteger();
    try (ComparatorOptions options = new ComparatorOptions();
        AbstractComparator comparator =
            new AbstractComparator(options) {
              @Override
              public String name() {
                return "name " + asked.getAndIncrement();
              }

              @Override
              public int compare(ByteBuffer a, ByteBuffer b) {
                return a.compareTo(b);
              }
            }) {
      assertTrue(Comparators.names().contains("name 0"));
      assertEquals(1, asked.get(), comparator::toString);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static List<String> keys(RocksIterator rows) {
    List<String> keys = new ArrayList<>();
    for (rows.seekToFirst(); rows.isValid(); rows.next()) {
      keys.add(new String(rows.key(), UTF_8));
    }
    return keys;
  }

  @Tag("oracle")
  @ParameterizedTest
  @CsvSource({
    "true, 64, ADAPTIVE_MUTEX", "true, 64, MUTEX", "true, 64, THREAD_LOCAL", "true, 2, MUTEX", "true, -1, MUTEX",
    "false, 64, ADAPTIVE_MUTEX", "false, 64, MUTEX", "false, 64, THREAD_LOCAL", "false, 2, MUTEX", "false, -1, MUTEX"
  })
  void keysAreComparedInTheBuffersThatTheOptionsAskFor(boolean direct, int reused, ReusedSynchronisationType type)
      throws Exception {
    try (ComparatorOptions options =
            new ComparatorOptions()
                .setUseDirectBuffer(direct)
                .setMaxReusedBufferSize(reused)
                .setReusedSynchronisationType(type);
        ByLength comparator = new ByLength(options);
        Options dbOptions = new Options().setCreateIfMissing(true).setComparator(comparator)) {
      assertEquals(direct, comparator.usingDirectBuffers());
      try (RocksDB db = RocksDB.open(dbOptions, folder.toString())) {
        for (String key : SHORTEST_FIRST.reversed()) {
          db.put(bytes(key), bytes("v" + key));
        }
        try (FlushOptions flush = new FlushOptions()) {
          db.flush(flush);
        }
        try (RocksIterator rows = db.newIterator()) {
          assertEquals(SHORTEST_FIRST, keys(rows));
        }
        assertEquals("vba", new String(db.get(bytes("ba")), UTF_8));
        assertNull(db.get(bytes("d")));
        db.compactRange();
      }
      try (RocksDB db = RocksDB.open(dbOptions, folder.toString());
          RocksIterator rows = db.newIterator()) {
        assertEquals(SHORTEST_FIRST, keys(rows));
      }
      assertEquals(Set.of(direct), comparator.directness);
      assertEquals(reused == 64, comparator.capacities.contains(64));
      assertTrue(comparator.capacities.contains(200));
    }
  }

  @Tag("oracle")
  @Test
  void aFamilyABatchAndATableAreOrderedByIt() throws Exception {
    try (ComparatorOptions options = new ComparatorOptions();
        ByLength comparator = new ByLength(options);
        ColumnFamilyOptions ordered = new ColumnFamilyOptions().setComparator(comparator);
        DBOptions dbOptions = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (RocksDB db =
              RocksDB.open(
                  dbOptions,
                  folder.resolve("db").toString(),
                  List.of(
                      new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                      new ColumnFamilyDescriptor(bytes("ordered"), ordered)),
                  handles);
          WriteBatchWithIndex batch = new WriteBatchWithIndex(comparator, 0, true)) {
        for (String key : SHORTEST_FIRST) {
          db.put(handles.get(1), bytes(key), bytes("1"));
          batch.put(bytes(key), bytes("1"));
        }
        try (RocksIterator rows = db.newIterator(handles.get(1))) {
          assertEquals(SHORTEST_FIRST, keys(rows));
        }
        handles.forEach(ColumnFamilyHandle::close);
      }
      try (EnvOptions envOptions = new EnvOptions();
          Options tableOptions = new Options().setComparator(comparator);
          SstFileWriter writer = new SstFileWriter(envOptions, tableOptions)) {
        writer.open(folder.resolve("table.sst").toString());
        for (String key : SHORTEST_FIRST) {
          writer.put(bytes(key), bytes("1"));
        }
        writer.finish();
      }
    }
  }

  @Test
  void whatItThrowsFailsTheMethodThatAskedAndNoOther() throws Exception {
    try (ComparatorOptions options = new ComparatorOptions();
        ByLength comparator = new ByLength(options);
        Options dbOptions = new Options().setCreateIfMissing(true).setComparator(comparator);
        RocksDB db = RocksDB.open(dbOptions, folder.toString())) {
      db.put(bytes("a"), bytes("1"));
      comparator.broken = new IllegalStateException("broken");
      IllegalStateException failure = assertThrows(IllegalStateException.class, () -> db.get(bytes("b")));
      assertEquals("the ByLength threw: two keys were taken for the same", failure.getMessage());
      assertSame(comparator.broken, failure.getCause());
      comparator.broken = null;
      assertEquals("1", new String(db.get(bytes("a")), UTF_8));
    }
  }

  @Test
  void itLivesAsLongAsTheDatabaseThatUsesIt() throws Exception {
    ComparatorOptions options = new ComparatorOptions();
    ByLength comparator = new ByLength(options);
    Options dbOptions = new Options().setCreateIfMissing(true).setComparator(comparator);
    RocksDB db = RocksDB.open(dbOptions, folder.toString());
    options.close();
    comparator.close();
    dbOptions.close();
    for (String key : SHORTEST_FIRST) {
      db.put(bytes(key), bytes("1"));
    }
    db.compactRange();
    try (RocksIterator rows = db.newIterator()) {
      assertEquals(SHORTEST_FIRST, keys(rows));
    }
    db.close();
  }
}
