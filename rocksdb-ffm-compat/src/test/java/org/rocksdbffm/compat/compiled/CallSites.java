/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.compiled;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Calls the drop-in as programs do, each call in a separate method that runs until C2 has compiled it. Prints the bytes
 * of bytecode that were inlined into each of these methods, and into all methods of the library.
 */
final class CallSites {
  private static final int KEYS = 2_000;
  private static final int BATCH = 32;
  private static final int WARM_UP = 7_000;
  private static final int C2 = 4;

  private final RocksDB db;
  private final ColumnFamilyHandle family;
  private final WriteOptions writing = new WriteOptions();
  private final ReadOptions reading = new ReadOptions();
  private final byte[] value = new byte[100];
  private final byte[] buffer = new byte[200];
  private final byte[][] keys = new byte[KEYS][];
  private RocksIterator open;
  private int next;

  private interface Site {
    void run() throws RocksDBException;
  }

  private CallSites(RocksDB db) throws RocksDBException {
    this.db = db;
    family = db.getDefaultColumnFamily();
    for (int i = 0; i < KEYS; i++) {
      keys[i] = ByteBuffer.allocate(Long.BYTES).putLong(i).array();
      db.put(keys[i], value);
    }
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    Path file = Path.of("compilations.jfr");
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, Path.of("db").toAbsolutePath().toString());
        Recording recording = new Recording()) {
      Map<String, Site> sites = new CallSites(db).all();
      recording.enable("jdk.Compilation").withoutThreshold();
      recording.start();
      for (Site site : sites.values()) {
        for (int i = 0; i < WARM_UP; i++) {
          site.run();
        }
      }
      recording.stop();
      recording.dump(file);
      print(file, sites.keySet());
    }
  }

  private Map<String, Site> all() {
    Map<String, Site> sites = new LinkedHashMap<>();
    sites.put("get", this::get);
    sites.put("getInto", this::getInto);
    sites.put("put", this::put);
    sites.put("delete", this::delete);
    sites.put("batchOf32", this::batchOf32);
    sites.put("batchOfOne", this::batchOfOne);
    sites.put("floor", this::floor);
    sites.put("last", this::last);
    sites.put("threeRows", this::threeRows);
    sites.put("seekOfOpenIterator", this::seekOfOpenIterator);
    sites.put("deleteByIterating", this::deleteByIterating);
    sites.put("multiGet", this::multiGet);
    return sites;
  }

  private byte[] key() {
    return keys[next++ % KEYS];
  }

  private void get() throws RocksDBException {
    if (db.get(family, reading, key()) == null && next < 0) {
      throw new AssertionError();
    }
  }

  private void getInto() throws RocksDBException {
    if (db.get(family, reading, key(), buffer) > buffer.length) {
      throw new AssertionError();
    }
  }

  private void put() throws RocksDBException {
    db.put(family, writing, key(), value);
  }

  private void delete() throws RocksDBException {
    db.delete(family, writing, key());
  }

  private void batchOf32() throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < BATCH; i++) {
        batch.put(family, key(), value);
      }
      db.write(writing, batch);
    }
  }

  private void batchOfOne() throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(family, key(), value);
      db.write(writing, batch);
    }
  }

  private void floor() {
    try (RocksIterator iterator = db.newIterator(family, reading)) {
      iterator.seekForPrev(key());
      if (iterator.isValid() && iterator.key().length == 0) {
        throw new AssertionError();
      }
    }
  }

  private void last() {
    try (RocksIterator iterator = db.newIterator(family, reading)) {
      iterator.seekToLast();
      if (iterator.isValid() && iterator.key().length == 0) {
        throw new AssertionError();
      }
    }
  }

  private void threeRows() {
    try (RocksIterator iterator = db.newIterator(family, reading)) {
      int rows = 0;
      for (iterator.seek(key()); iterator.isValid() && rows < 3; iterator.next()) {
        rows += iterator.key().length > 0 && iterator.value().length > 0 ? 1 : 0;
      }
    }
  }

  private void deleteByIterating() throws RocksDBException {
    try (RocksIterator iterator = db.newIterator(family, reading);
        WriteBatch batch = new WriteBatch()) {
      int rows = 0;
      for (iterator.seek(key()); iterator.isValid() && rows < 3; iterator.next()) {
        batch.delete(family, iterator.key());
        rows++;
      }
      db.write(writing, batch);
    }
  }

  private void multiGet() throws RocksDBException {
    if (db.multiGetAsList(List.of(key(), key(), key())).size() != 3) {
      throw new AssertionError();
    }
  }

  private void seekOfOpenIterator() {
    if (open == null) {
      open = db.newIterator(family, reading);
    }
    open.seek(key());
    if (open.isValid() && open.value().length == 0) {
      throw new AssertionError();
    }
  }

  private static void print(Path file, Set<String> sites) throws IOException {
    Map<String, Long> inlined = new LinkedHashMap<>();
    sites.forEach(site -> inlined.put(site, 0L));
    long all = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (!event.getEventType().getName().equals("jdk.Compilation") || event.getShort("compileLevel") != C2) {
        continue;
      }
      RecordedMethod method = event.getValue("method");
      String type = method == null ? "" : method.getType().getName();
      long bytes = event.getLong("inlinedBytes");
      if (type.equals(CallSites.class.getName())) {
        inlined.computeIfPresent(method.getName(), (site, most) -> Math.max(most, bytes));
      } else if (type.startsWith("org.rocksdb")) {
        all += bytes;
      }
    }
    inlined.forEach((site, bytes) -> System.out.println(site + " " + bytes));
    System.out.println("library " + all);
  }
}
