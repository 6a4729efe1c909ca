/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that with no copy limit, which users can set, the stub writes beyond its buffer. */
class CopyLimitTest {
  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 16 << 10, (16 << 10) + 1, Integer.MAX_VALUE})
  void noLimitLetsAReadWriteBehindItsRoom(int limit) {
    int expected = Math.clamp(limit, 0, Call.VALUE_ROOM);
    ChildJvm child = ChildJvm.of(ReadLargeValues.class).with("-Dorg.rocksdbffm.copyLimit=" + limit);
    assertEquals(expected + ", all values are equal\n", child.run().assertExit(0).output());
  }

  @Test
  void theDefaultFitsTheRoom() {
    assertEquals(1536, ReadPath.COPY_LIMIT);
  }

  static final class ReadLargeValues {
    public static void main(String[] arguments) {
      try (RocksDb db = RocksDb.open(Path.of("db"))) {
        for (int size = 1; size <= 4 << 20; size *= 2) {
          byte[] key = {(byte) Integer.numberOfTrailingZeros(size)};
          byte[] value = new byte[size];
          Arrays.fill(value, key[0]);
          db.put(key, value);
          if (!Arrays.equals(value, db.get(key)) || db.getInto(key, new byte[size]) != size) {
            throw new AssertionError("another value of " + size + " bytes");
          }
        }
      }
      System.out.println(ReadPath.COPY_LIMIT + ", all values are equal");
    }
  }
}
