/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The comparison is fair only if both engines are set and fed alike. */
class BindingTest {
  private static final List<String> ENGINES = List.of(Binding.JNI, Binding.FFM);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {16, 100, 4096, 65536, 1 << 20})
  void bothEnginesReturnTheBytesThatWereWrittenInEveryForm(int valueSize) throws Exception {
    DataSet data = new DataSet(20, valueSize);
    for (String engine : ENGINES) {
      try (Binding binding = Binding.open(engine, folder.resolve(engine), Tuning.forReading())) {
        data.writeTo(binding);
        for (int row = 0; row < data.count(); row++) {
          assertReads(data, row, binding);
        }
        assertNull(binding.get(data.missingKey(3)));
        List<byte[]> keys = IntStream.range(0, data.count()).mapToObj(data::key).toList();
        List<byte[]> values = binding.multiGet(keys);
        for (int row = 0; row < data.count(); row++) {
          assertArrayEquals(data.value(row), values.get(row), engine);
        }
      }
    }
  }

  private static void assertReads(DataSet data, int row, Binding binding) throws Exception {
    byte[] expected = data.value(row);
    byte[] key = data.key(row);
    assertArrayEquals(expected, binding.get(key));
    byte[] array = new byte[expected.length];
    assertEquals(expected.length, binding.getInto(key, array));
    assertArrayEquals(expected, array);
    ByteBuffer target = ByteBuffer.allocateDirect(expected.length);
    assertEquals(expected.length, binding.getInto(DataSet.direct(new byte[][] {key})[0], target));
    byte[] copy = new byte[expected.length];
    target.get(0, copy);
    assertArrayEquals(expected, copy);
  }

  @Test
  void eachEngineReadsWhatTheOtherWrote() throws Exception {
    DataSet data = new DataSet(1000, 100);
    for (String engine : ENGINES) {
      try (Binding writer = Binding.open(engine, folder.resolve(engine), Tuning.forReading())) {
        data.writeTo(writer);
      }
      for (String other : ENGINES) {
        try (Binding reader = Binding.open(other, folder.resolve(engine), Tuning.forReading())) {
          assertArrayEquals(data.value(999), reader.get(data.key(999)));
        }
      }
    }
  }

  @Test
  void bothEnginesWriteTheSameBatch() throws Exception {
    byte[] key = {1};
    byte[] value = {2};
    for (String engine : ENGINES) {
      try (Binding binding = Binding.open(engine, folder.resolve(engine), Tuning.forWriting(true));
          Binding.Batch batch = binding.newBatch()) {
        batch.put(new byte[] {9}, value);
        batch.clear();
        batch.put(key, value);
        batch.write();
        assertArrayEquals(value, binding.get(key), engine);
        assertNull(binding.get(new byte[] {9}), engine);
      }
    }
  }

  @Test
  void bothEnginesRunWithTheSameOptions() throws Exception {
    for (Tuning tuning : List.of(Tuning.forReading(), Tuning.forWriting(false))) {
      List<Set<String>> options = new ArrayList<>();
      for (String engine : ENGINES) {
        Path its = folder.resolve(tuning.writeBufferSize() + engine);
        Binding.open(engine, its, tuning).close();
        options.add(storedOptions(its));
      }
      assertEquals(without(options.get(1), options.get(0)), without(options.get(0), options.get(1)));
    }
  }

  private static Set<String> without(Set<String> some, Set<String> others) {
    Set<String> rest = new TreeSet<>(others);
    rest.removeAll(some);
    return rest;
  }

  /** What the engine says it was opened with. */
  private static Set<String> storedOptions(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      Path latest =
          files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-")).sorted().toList().getLast();
      return new TreeSet<>(Files.readAllLines(latest));
    }
  }
}
