/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.KeyKind;
import org.rocksdbffm.tools.ReadKind;

/** Tests each way to read with each kind of key against a map: from memtables, from files, and from both. */
class ReadMatrixTest {
  private static final int[] SIZES =
      {0, 1, 100, 1535, 1536, 1537, 2049, 4095, 4096, 4097, 16 << 10, (16 << 10) + 1, (64 << 10) + 1, 1 << 20};
  private static final int[] KEY_SIZES = {0, 1, 1023, 1024, 1025, 70_000};

  @TempDir static Path folder;
  private static RocksDb db;
  private static final Map<String, Map<String, byte[]>> model = new LinkedHashMap<>();

  @BeforeAll
  static void fill() {
    db = RocksDb.open(folder);
    for (String family : List.of("memtable", "files", "both")) {
      db.createFamily(family, FamilyOptions.defaults().compression(Compression.NONE));
      model.put(family, new LinkedHashMap<>());
    }
    put("files", 1);
    put("both", 2);
    db.family("files").flush();
    db.family("both").flush();
    put("both", 3);
    put("memtable", 4);
  }

  private static void put(String family, long seed) {
    for (int size : SIZES) {
      put(family, bytes("value of " + size), random(size, seed + size));
    }
    for (int size : KEY_SIZES) {
      put(family, bytes("k".repeat(size)), random(10, seed + size));
    }
  }

  private static void put(String family, byte[] key, byte[] value) {
    db.family(family).put(key, value);
    model.get(family).put(Bytes.text(key), value);
  }

  @AfterAll
  static void close() {
    db.close();
  }

  static Stream<Arguments> matrix() {
    return Stream.of(ReadKind.values())
        .flatMap(read -> Stream.of(KeyKind.values()).map(key -> Arguments.of(read, key)));
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void everyReadGivesWhatWasPut(ReadKind read, KeyKind kind) {
    long pins = db.pins().count();
    model.forEach((name, values) -> {
      KeyReader family = db.family(name);
      values.forEach((key, value) -> {
        Object asked = kind.of(bytes(key));
        String place = asked.toString();
        assertArrayEquals(value, read.read(family, asked), () -> "value of " + value.length + " in " + name);
        assertEquals(place, asked instanceof byte[] ? place : asked.toString(), "position and limit stay");
      });
      assertNull(read.read(family, kind.of(bytes("absent"))));
      assertNull(read.read(family, kind.of(random(2000, 1))));
    });
    assertTrue(read.pinsBehind() || db.pins().count() <= pins, "pins left behind");
  }

  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void whatWasPutMayExist(KeyKind kind) {
    model.forEach((name, values) -> values.keySet().forEach(key -> {
      KeyReader family = db.family(name);
      boolean may =
          switch (kind.of(bytes(key))) {
            case byte[] array -> family.mayExist(array);
            case java.lang.foreign.MemorySegment segment -> family.mayExist(segment);
            default -> throw new AssertionError(kind);
          };
      assertTrue(may, key.length() + " bytes");
    }));
  }

  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void whatWasPutIsContained(KeyKind kind) {
    long pins = db.pins().count();
    model.forEach((name, values) -> values.keySet().forEach(key -> {
      KeyReader family = db.family(name);
      assertTrue(contains(family, kind.of(bytes(key))), key.length() + " bytes");
      assertFalse(contains(family, kind.of(bytes(key + "absent"))));
    }));
    assertTrue(db.pins().count() <= pins, "pins left behind");
  }

  private static boolean contains(KeyReader family, Object key) {
    return switch (key) {
      case byte[] array -> family.contains(array);
      case java.lang.foreign.MemorySegment segment -> family.contains(segment);
      default -> throw new AssertionError(key);
    };
  }
}
