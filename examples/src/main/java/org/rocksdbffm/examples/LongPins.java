/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.TableOptions;

/**
 * Shows how long-lived pinned values affect the cache, compactions, the files on disk, and the close. Arguments: the
 * seconds to keep the values pinned, and optionally the number of values.
 */
final class LongPins {
  private static final int KEYS = 2_000;
  private static final int SIZE = 64 << 10;
  private static final ByteSize CACHE = ByteSize.mib(64);

  private final Path folder;
  private final BlockCache cache;
  private final RocksDb db;

  private LongPins(Path folder, BlockCache cache) {
    this.folder = folder;
    this.cache = cache;
    TableOptions table = TableOptions.defaults().blockCache(cache);
    this.db = RocksDb.at(folder).defaults(FamilyOptions.defaults().compression(Compression.NONE).table(table)).open();
  }

  public static void main(String[] arguments) throws Exception {
    Duration held = Duration.ofSeconds(arguments.length == 0 ? 10 : Long.parseLong(arguments[0]));
    int[] counts = arguments.length < 2 ? new int[] {0, 400, KEYS} : new int[] {Integer.parseInt(arguments[1])};
    for (int pins : counts) {
      try (ExampleFolder folder = ExampleFolder.create();
          BlockCache cache = BlockCache.lru(CACHE)) {
        new LongPins(folder.path(), cache).run(pins, held);
      }
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(4).putInt(i).array();
  }

  private void fill(int seed) {
    byte[] value = new byte[SIZE];
    for (int i = 0; i < KEYS; i++) {
      new Random(31L * i + seed).nextBytes(value);
      db.put(key(i), value);
    }
    db.flush();
  }

  private long filesMib() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      long sum = 0;
      for (Path file : (Iterable<Path>) files.filter(each -> each.toString().endsWith(".sst"))::iterator) {
        sum += Files.size(file);
      }
      return sum >> 20;
    }
  }

  private double microsecondsARead() {
    Random random = new Random(7);
    byte[] target = new byte[SIZE];
    long begin = System.nanoTime();
    for (int i = 0; i < KEYS; i++) {
      db.getInto(key(random.nextInt(KEYS)), target);
    }
    return (System.nanoTime() - begin) / 1e3 / KEYS;
  }

  private void run(int count, Duration held) throws Exception {
    fill(0);
    db.compact(KeyRange.all());
    List<PinnedValue> pins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pins.add(db.getPinned(key(i)));
    }
    System.out.printf("%d pinned values of 64 KiB (%d MiB) over a cache of %s%n", count,
        db.pins().size().bytes() >> 20, CACHE);
    microsecondsARead();
    System.out.printf("  cache in use %d MiB, a read takes %.0f us%n", cache.usage().bytes() >> 20,
        microsecondsARead());
    long rounds = 0;
    long compacting = 0;
    long begin = System.nanoTime();
    while (rounds == 0 || System.nanoTime() - begin < held.toNanos()) {
      fill(1);
      long compaction = System.nanoTime();
      db.compact(KeyRange.all());
      compacting += System.nanoTime() - compaction;
      rounds++;
    }
    System.out.printf(
        "  held for %d s: %d compactions of all rows took %.0f ms each; files on disk %d MiB, of which alive %d%n",
        (System.nanoTime() - begin) / 1_000_000_000,
        rounds,
        compacting / 1e6 / rounds,
        filesMib(),
        db.metrics().longProperty("rocksdb.live-sst-files-size").orElse(0) >> 20);
    check(pins);
    microsecondsARead();
    System.out.printf("  cache in use %d MiB, a read takes %.0f us%n", cache.usage().bytes() >> 20,
        microsecondsARead());
    close(pins);
  }

  /** Checks that pinned values are unchanged, although all rows were overwritten and their files deleted. */
  private static void check(List<PinnedValue> pins) {
    byte[] expected = new byte[SIZE];
    for (int i = 0; i < pins.size(); i++) {
      new Random(31L * i).nextBytes(expected);
      try (PinnedValue.View view = pins.get(i).view()) {
        if (!view.buffer().equals(ByteBuffer.wrap(expected))) {
          throw new AssertionError("pinned value " + i + " changed");
        }
      }
    }
  }

  private void close(List<PinnedValue> pins) {
    long begin = System.nanoTime();
    db.close();
    System.out.printf("  close returned after %.1f ms; opening again: ", (System.nanoTime() - begin) / 1e6);
    try {
      RocksDb.open(folder).close();
      System.out.println("works");
    } catch (RocksDbException e) {
      System.out.println("refused while values are pinned");
    }
    while (pins.size() > 1) {
      pins.removeLast().close();
    }
    if (!pins.isEmpty()) {
      begin = System.nanoTime();
      pins.removeLast().close();
      System.out.printf("  the last release took %.1f ms, ", (System.nanoTime() - begin) / 1e6);
      RocksDb.open(folder).close();
      System.out.println("and opening again works");
    }
    System.out.printf("  cache in use %d MiB%n", cache.usage().bytes() >> 20);
  }
}
