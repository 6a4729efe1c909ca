/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.store.ProgramStore;
import org.rocksdbffm.jmh.programs.store.Stores;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A binding of the YCSB client to a store. A record is one value with all fields, as in the client's RocksDB binding:
 * an update reads and writes the whole record.
 */
public final class YcsbStore extends DB {
  private static String engine;
  private static Path folder;
  private static Meter meter;
  private static int threads;
  private static ProgramStore store;
  private static final AtomicLong FAILED = new AtomicLong();

  private Meter.Lane lane;

  /** Called by the client, once for each of its threads. */
  public YcsbStore() {}

  /** Sets the state that all bindings of the process share. */
  static synchronized void prepare(String newEngine, String newFolder, Meter newMeter, int newThreads) {
    engine = newEngine;
    folder = Path.of(newFolder);
    meter = newMeter;
    threads = newThreads;
  }

  @Override
  public void init() throws DBException {
    synchronized (YcsbStore.class) {
      lane = meter.lane();
      if (store == null) {
        try {
          store = Stores.open(engine, folder, ProgramStore.Kind.PLAIN, 1);
        } catch (Exception e) {
          throw new DBException(e);
        }
      }
    }
  }

  /** The last thread ends the measurement. */
  @Override
  public void cleanup() {
    synchronized (YcsbStore.class) {
      if (--threads == 0) {
        ProcessFigures figures = meter.end(FAILED.get());
        store.close();
        System.out.println(Printed.line(figures));
      }
    }
  }

  private interface Operation {
    Status run() throws Exception;
  }

  private Status measured(Operation operation) {
    long before = System.nanoTime();
    Status status;
    try {
      status = operation.run();
    } catch (Exception e) {
      System.err.println(e);
      status = Status.ERROR;
    }
    if (!status.isOk()) {
      FAILED.incrementAndGet();
    }
    lane.did(System.nanoTime() - before);
    return status;
  }

  @Override
  public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return measured(
        () -> {
          byte[] record = store.get(0, bytes(key));
          if (record == null) {
            return Status.NOT_FOUND;
          }
          unpack(record, fields, result);
          return Status.OK;
        });
  }

  @Override
  public Status scan(
      String table, String from, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
    return measured(
        () -> {
          store.scan(
              0,
              bytes(from),
              count,
              (key, record) -> {
                HashMap<String, ByteIterator> row = new HashMap<>();
                unpack(record, fields, row);
                return result.add(row);
              });
          return result.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return measured(
        () -> {
          byte[] record = store.get(0, bytes(key));
          if (record == null) {
            return Status.NOT_FOUND;
          }
          Map<String, ByteIterator> all = new HashMap<>();
          unpack(record, null, all);
          all.putAll(values);
          store.put(0, bytes(key), pack(all));
          return Status.OK;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return measured(
        () -> {
          store.put(0, bytes(key), pack(values));
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return measured(
        () -> {
          store.delete(0, bytes(key));
          return Status.OK;
        });
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] pack(Map<String, ByteIterator> fields) {
    Map<String, byte[]> values = new HashMap<>();
    int size = 0;
    for (Map.Entry<String, ByteIterator> field : fields.entrySet()) {
      byte[] value = field.getValue().toArray();
      values.put(field.getKey(), value);
      size += 2 * Integer.BYTES + field.getKey().length() + value.length;
    }
    ByteBuffer record = ByteBuffer.allocate(size);
    for (Map.Entry<String, byte[]> field : values.entrySet()) {
      byte[] name = field.getKey().getBytes(StandardCharsets.ISO_8859_1);
      record.putInt(name.length).put(name).putInt(field.getValue().length).put(field.getValue());
    }
    return record.array();
  }

  /** Adds the requested fields to the result; all fields if null. */
  private static void unpack(byte[] record, Set<String> wanted, Map<String, ByteIterator> fields) {
    ByteBuffer rest = ByteBuffer.wrap(record);
    while (rest.hasRemaining()) {
      int nameSize = rest.getInt();
      String name = new String(record, rest.position(), nameSize, StandardCharsets.ISO_8859_1);
      rest.position(rest.position() + nameSize);
      int size = rest.getInt();
      if (wanted == null || wanted.contains(name)) {
        fields.put(name, new ByteArrayByteIterator(record, rest.position(), size));
      }
      rest.position(rest.position() + size);
    }
  }
}
