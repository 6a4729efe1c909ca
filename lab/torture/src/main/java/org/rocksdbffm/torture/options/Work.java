/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.WriteBatch;

/** Reads and writes a column family, and compares each result with a {@link Model}. */
final class Work {
  static final char DELIMITER = ',';
  private static final int KEYS = 64;
  private static final byte[] INCOMPRESSIBLE = new byte[40_000];

  static {
    new Random(1).nextBytes(INCOMPRESSIBLE);
  }

  private final Random random;
  private final boolean merges;
  private final Progress progress;

  Work(long seed, boolean merges, Progress progress) {
    this.random = new Random(seed);
    this.merges = merges;
    this.progress = progress;
  }

  static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private String key() {
    int number = random.nextInt(KEYS);
    return (number % 3 == 0 ? "a" : "prefix" + number % 7) + "-" + number;
  }

  private static List<String> keys() {
    return IntStream.range(0, KEYS).mapToObj(n -> (n % 3 == 0 ? "a" : "prefix" + n % 7) + "-" + n).toList();
  }

  private byte[] value() {
    int size =
        switch (random.nextInt(20)) {
          case 0 -> 0;
          case 1 -> 5000;
          case 2 -> random.nextInt(INCOMPRESSIBLE.length);
          default -> random.nextInt(300);
        };
    if (random.nextBoolean()) {
      int from = random.nextInt(INCOMPRESSIBLE.length - size + 1);
      return Arrays.copyOfRange(INCOMPRESSIBLE, from, from + size);
    }
    byte[] same = new byte[size];
    Arrays.fill(same, (byte) ('a' + random.nextInt(26)));
    return same;
  }

  void go(ColumnFamily family, Model model, int steps) {
    for (int i = 0; i < steps; i++) {
      step(family, model);
      progress.made();
    }
  }

  private void step(ColumnFamily family, Model model) {
    int kind = random.nextInt(100);
    if (kind < 40) {
      put(family, model);
    } else if (kind < 48) {
      delete(family, model);
    } else if (kind < 56 && merges) {
      merge(family, model);
    } else if (kind < 60) {
      deleteRange(family, model);
    } else if (kind < 65) {
      write(family, model);
    } else if (kind < 85) {
      String key = key();
      read(() -> model.check("get", key, family.get(bytes(key))));
    } else if (kind < 88) {
      read(() -> checkAll("multi-get", family, model));
    } else if (kind < 91) {
      read(() -> model.checkScan("scan", family));
    } else if (kind < 93) {
      readSnapshot(family, model);
    } else if (kind < 97) {
      read(() -> family.flush(FlushOptions.defaults().waitForFlush(random.nextInt(4) > 0)));
    } else if (kind < 98) {
      read(() -> family.compact(KeyRange.all()));
    }
  }

  /** Compares all rows with each kind of read. */
  void checkAll(KeyReader family, Model model) {
    read(() -> checkAll("multi-get at the end", family, model));
    read(() -> model.checkScan("scan at the end", family));
    for (String key : keys()) {
      read(() -> model.check("get at the end", key, family.get(bytes(key))));
      progress.made();
    }
  }

  private static void checkAll(String where, KeyReader family, Model model) {
    List<String> keys = keys();
    List<byte[]> found = family.multiGet(keys.stream().map(Work::bytes).toList());
    for (int i = 0; i < KEYS; i++) {
      model.check(where, keys.get(i), found.get(i));
    }
  }

  private void readSnapshot(ColumnFamily family, Model model) {
    read(() -> {
      Model before = model.copy();
      try (Snapshot snapshot = family.snapshot()) {
        put(family, model);
        deleteRange(family, model);
        read(family::flush);
        before.checkScan("scan of a snapshot", snapshot.of(family));
      }
    });
  }

  private void put(ColumnFamily family, Model model) {
    String key = key();
    byte[] value = value();
    write(model, List.of(key), () -> family.put(bytes(key), value), () -> model.put(key, value));
  }

  private void delete(ColumnFamily family, Model model) {
    String key = key();
    write(model, List.of(key), () -> family.delete(bytes(key)), () -> model.delete(key));
  }

  private void merge(ColumnFamily family, Model model) {
    String key = key();
    byte[] operand = bytes("m" + random.nextInt(100));
    write(model, List.of(key), () -> family.merge(bytes(key), operand), () -> {
      byte[] old = model.get(key);
      model.put(key, old == null ? operand : bytes(text(old) + DELIMITER + text(operand)));
    });
  }

  private void deleteRange(ColumnFamily family, Model model) {
    String one = key();
    String other = key();
    String from = model.compare(one, other) <= 0 ? one : other;
    String until = from.equals(one) ? other : one;
    write(
        model,
        keys(),
        () -> family.deleteRange(bytes(from), bytes(until)),
        () -> model.deleteRange(from, until));
  }

  private void write(ColumnFamily family, Model model) {
    List<String> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 5; i++) {
      keys.add(key());
      values.add(value());
      batch.in(family).put(bytes(keys.get(i)), values.get(i));
    }
    write(model, keys, () -> family.write(batch), () -> {
      for (int i = 0; i < keys.size(); i++) {
        model.put(keys.get(i), values.get(i));
      }
    });
  }

  /** Runs a write and updates the model; if the write fails, the state of its keys is unknown. */
  private void write(Model model, List<String> keys, Runnable write, Runnable acknowledged) {
    try {
      write.run();
    } catch (RocksDbException | IllegalArgumentException | UnsupportedOperationException e) {
      progress.refused(e);
      model.unsureOfAll(keys);
      return;
    }
    acknowledged.run();
  }

  /** Runs a read, which may be rejected, but must not report corruption. */
  private void read(Runnable read) {
    try {
      read.run();
    } catch (RocksDbException e) {
      if (e.code() == Code.CORRUPTION) {
        throw new AssertionError("a read finds damage", e);
      }
      progress.refused(e);
    }
  }

}
