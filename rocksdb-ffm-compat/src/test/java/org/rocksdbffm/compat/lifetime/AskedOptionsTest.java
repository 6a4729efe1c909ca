/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractSlice;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Objects that read options answer are as safe as the objects that were set. */
class AskedOptionsTest {
  @Test
  void aSliceOutlivesTheSliceThatWasSet(@TempDir Path folder) throws IOException {
    assertEquals("fine\n", ChildJvm.run(folder, Outliving.class, List.of()));
  }

  static final class Outliving {
    public static void main(String[] arguments) {
      outlives(ReadOptions::setIterateLowerBound, ReadOptions::iterateLowerBound);
      outlives(ReadOptions::setIterateUpperBound, ReadOptions::iterateUpperBound);
      outlives(ReadOptions::setTimestamp, ReadOptions::timestamp);
      outlives(ReadOptions::setIterStartTs, ReadOptions::iterStartTs);
      System.out.println("fine");
    }

    private static void outlives(
        BiFunction<ReadOptions, AbstractSlice<?>, ReadOptions> set, Function<ReadOptions, Slice> get) {
      ReadOptions first = new ReadOptions();
      ReadOptions second = new ReadOptions();
      Slice slice = new Slice("a bound");
      set.apply(first, slice);
      Slice asked = get.apply(first);
      set.apply(first, asked);
      set.apply(second, asked);
      slice.close();
      first.close();
      for (int i = 0; i < 100; i++) {
        new Slice("another").close();
      }
      assertEquals("a bound", asked.toString());
      asked.close();
      assertEquals("a bound", get.apply(second).toString());
      second.close();
    }
  }

  @Test
  void aSnapshotThatWasReleasedIsRefused(@TempDir Path folder) throws IOException {
    assertEquals("fine\n", ChildJvm.run(folder, Released.class, List.of()));
  }

  static final class Released {
    public static void main(String[] arguments) throws RocksDBException {
      try (RocksDB db = RocksDB.open("db");
          ReadOptions reading = new ReadOptions()) {
        assertNull(reading.snapshot());
        Snapshot snapshot = db.getSnapshot();
        reading.setSnapshot(snapshot);
        Snapshot asked = reading.snapshot();
        assertEquals(snapshot.getSequenceNumber(), asked.getSequenceNumber());
        db.releaseSnapshot(snapshot);
        assertThrows(IllegalStateException.class, asked::getSequenceNumber);
        assertThrows(IllegalStateException.class, () -> db.get(reading, new byte[1]));
      }
      System.out.println("fine");
    }
  }
}
