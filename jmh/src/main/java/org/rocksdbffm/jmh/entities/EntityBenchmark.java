/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.entities;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.Columns;
import org.rocksdbffm.Entity;
import org.rocksdbffm.EntityReader;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.jmh.benchmarks.MeasuredState;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * Reads one of 20 columns of a row of 4 KiB: from an entity, and with rocksdbjni from a value that the program decodes
 * up to that column. Times are per read.
 */
public class EntityBenchmark extends MeasuredState {
  private static final int ROWS = 10_000;
  private static final int COLUMNS = 20;
  private static final int VALUE_SIZE = 4096 / COLUMNS - 10;
  private static final int WANTED = 12;

  private static final String WANTED_NAME = name(WANTED);

  private static String name(int column) {
    return "column-%02d".formatted(column);
  }

  /** The keys in random order. */
  private static List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      keys.add("key%09d".formatted(i).getBytes(StandardCharsets.US_ASCII));
    }
    Collections.shuffle(keys, new Random(1));
    return keys;
  }

  /** Rows as entities. */
  @State(Scope.Benchmark)
  public static class Entities {
    private final List<byte[]> keys = keys();
    private TemporaryFolder folder;
    private RocksDb db;
    private EntityReader reader;
    private EntityReader projection;
    private int last;

    @Setup(Level.Trial)
    public void fill() throws Exception {
      folder = TemporaryFolder.create();
      db = RocksDb.open(folder.path().resolve("db"));
      for (byte[] key : keys) {
        Columns columns = new Columns();
        for (int i = 0; i < COLUMNS; i++) {
          columns.add(name(i), new byte[VALUE_SIZE]);
        }
        db.putEntity(key, columns);
      }
      db.compact(KeyRange.all());
      reader = db.entities();
      projection = reader.only(name(WANTED));
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      db.close();
      folder.close();
    }

    private byte[] next() {
      last = last + 1 == ROWS ? 0 : last + 1;
      return keys.get(last);
    }
  }

  /** Rows whose value is a sequence of column names and column values, each preceded by its size. */
  @State(Scope.Benchmark)
  public static class Values {
    private final List<byte[]> keys = keys();
    private TemporaryFolder folder;
    private org.rocksdb.RocksDB db;
    private byte[] wanted;
    private int last;

    @Setup(Level.Trial)
    public void fill() throws Exception {
      folder = TemporaryFolder.create();
      db = org.rocksdb.RocksDB.open(folder.path().resolve("db").toString());
      wanted = name(WANTED).getBytes(StandardCharsets.UTF_8);
      ByteBuffer value = ByteBuffer.allocate(COLUMNS * (2 + wanted.length + 4 + VALUE_SIZE));
      for (int i = 0; i < COLUMNS; i++) {
        byte[] name = name(i).getBytes(StandardCharsets.UTF_8);
        value.putShort((short) name.length).put(name).putInt(VALUE_SIZE).put(new byte[VALUE_SIZE]);
      }
      for (byte[] key : keys) {
        db.put(key, value.array());
      }
      db.compactRange();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      db.close();
      folder.close();
    }

    private byte[] next() {
      last = last + 1 == ROWS ? 0 : last + 1;
      return keys.get(last);
    }

    private byte[] decode(byte[] value) {
      ByteBuffer rest = ByteBuffer.wrap(value);
      while (rest.hasRemaining()) {
        int nameSize = rest.getShort();
        int name = rest.position();
        int size = rest.getInt(name + nameSize);
        int start = name + nameSize + Integer.BYTES;
        if (Arrays.equals(value, name, name + nameSize, wanted, 0, wanted.length)) {
          return Arrays.copyOfRange(value, start, start + size);
        }
        rest.position(start + size);
      }
      throw new IllegalStateException("the value lacks the column");
    }
  }

  /** Copies the column. */
  @Benchmark
  public byte[] column(Entities entities) {
    return entities.reader.get(entities.next(), entity -> entity.get(WANTED_NAME));
  }

  /** Reads the size of the column of a projection, without a copy. */
  @Benchmark
  public long projection(Entities entities) {
    try (Entity entity = entities.projection.get(entities.next())) {
      return entity.value(0).byteSize();
    }
  }

  /** Copies the row's value, decodes it up to the column, and copies the column. */
  @Benchmark
  public byte[] rocksdbjni(Values values) throws Exception {
    return values.decode(values.db.get(values.next()));
  }
}
