/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;

/** Opens a database, writes, reads and scans, and ends with what a read costs next to JNI. */
public final class Quickstart {
  private static final byte[] KEY = "order-1002".getBytes(UTF_8);

  private Quickstart() {}

  public static void main(String[] arguments) throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      tour(folder.path().resolve("orders"));
      Comparison.run(folder.path());
    }
  }

  private static void tour(Path folder) {
    System.out.println("A database in " + folder + ":");
    try (RocksDb db = RocksDb.open(folder)) {
      write(db);
      readIntoArray(db);
      readIntoBuffer(db);
      readPinned(db);
      scan(db);
    }
    System.out.println();
  }

  private static void write(RocksDb db) {
    db.put(KEY, "three apples".getBytes(UTF_8));
    WriteBatch batch = new WriteBatch();
    batch.put("order-1001".getBytes(UTF_8), "a pear".getBytes(UTF_8));
    batch.put("order-1003".getBytes(UTF_8), "two plums".getBytes(UTF_8));
    db.write(batch);
    show("put, write", "one row, then two more that take effect together");
  }

  private static void readIntoArray(RocksDb db) {
    byte[] value = db.get(KEY);
    show("get", "a new byte[]: " + new String(value, UTF_8));
  }

  private static void readIntoBuffer(RocksDb db) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_BYTE, KEY);
      MemorySegment buffer = arena.allocate(100); // to be used again and again
      long size = db.getInto(key, buffer);
      show("getInto", "into memory of our own: " + text(buffer.asSlice(0, size)));
    }
  }

  private static void readPinned(RocksDb db) {
    try (PinnedValue value = db.getPinned(KEY)) {
      show("getPinned", "where the engine has it, without a copy: " + text(value.segment()));
    }
  }

  private static void scan(RocksDb db) {
    StringBuilder rows = new StringBuilder();
    try (Scan scan = db.scan(KeyRange.prefix("order-".getBytes(UTF_8)))) {
      while (scan.next()) {
        rows.append(rows.isEmpty() ? "" : ", ").append(text(scan.key())).append('=').append(text(scan.value()));
      }
    }
    show("scan", rows.toString());
  }

  private static String text(MemorySegment bytes) {
    return new String(bytes.toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }

  private static void show(String what, String outcome) {
    System.out.printf("  %-12s%s%n", what, outcome);
  }
}
