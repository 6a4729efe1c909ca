/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.benchmarks.DataSetFiles;
import org.rocksdbffm.jmh.engines.capi.NativeBinding;
import org.rocksdbffm.jmh.engines.capi.NativeGetLoop;
import org.rocksdbffm.jmh.engines.ffm.FfmBinding;
import org.rocksdbffm.jmh.engines.jni.JniBinding;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataPlace;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.MultiGetLoop;
import org.rocksdbffm.jmh.work.ScanLoop;
import org.rocksdbffm.jmh.work.SendLoop;
import org.rocksdbffm.jmh.work.SocketReader;
import org.rocksdbffm.jmh.work.TransactionLoop;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;

/**
 * Tests that all engines have the same options and data, and return the same results: only then are comparisons fair.
 */
class EnginesTest {
  private static final List<String> ENGINES = List.of(Binding.NATIVE, Binding.JNI, Binding.FFM);
  private static final int ROWS = 30;

  private final Blackhole blackhole =
      new Blackhole("Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

  @TempDir private Path folder;

  private interface Step {
    long run() throws Exception;
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 100, 4096, 65536, 1 << 20})
  void allEnginesReadTheBytesThatWereWritten(int valueSize) throws Exception {
    DataSet data = new DataSet(ROWS, valueSize);
    for (String engine : ENGINES) {
      try (Binding binding = written(engine, engine, data, DataPlace.CACHE)) {
        for (int row = 0; row < ROWS; row++) {
          assertArrayEquals(data.value(row), read(binding, data, row), engine);
        }
      }
    }
  }

  private static byte[] read(Binding binding, DataSet data, int row) throws Exception {
    byte[] key = data.key(row);
    return switch (binding) {
      case JniBinding jni -> jni.db().get(key);
      case FfmBinding ffm -> ffm.db().get(key);
      default -> {
        NativeGetLoop loop = ((NativeBinding) binding).gets(new KeyCycle(new byte[][] {key}), data.valueSize(), 1);
        loop.intoSegment();
        yield loop.value();
      }
    };
  }

  @ParameterizedTest
  @EnumSource(DataPlace.class)
  void allGetsOfAllEnginesSeeTheSame(DataPlace place) throws Exception {
    for (int valueSize : List.of(16, 4096, 65536)) {
      DataSet data = new DataSet(ROWS, valueSize);
      for (String engine : ENGINES) {
        try (Binding binding = written(engine + "of" + valueSize, engine, data, place)) {
          for (Step gets : gets(binding.gets(new KeyCycle(data.shuffledKeys()), valueSize, ROWS), engine)) {
            assertEquals(data.look(), gets.run(), engine);
          }
          KeyCycle missing = new KeyCycle(data.shuffledMissingKeys());
          assertEquals(0, binding.gets(missing, valueSize, ROWS).array(blackhole), engine);
        }
      }
    }
  }

  @Test
  void allGetsWithADeadlineAndStatisticsSeeTheSame() throws Exception {
    DataSet data = new DataSet(ROWS, 4096);
    for (String engine : ENGINES) {
      written(engine, engine, data, DataPlace.CACHE).close();
      Tuning tuning = Tuning.forReading(DataPlace.CACHE).serving(true, true);
      try (Binding binding = Engines.open(engine, folder.resolve(engine), tuning)) {
        GetLoop gets = binding.gets(new KeyCycle(data.shuffledKeys()), 4096, ROWS);
        assertEquals(data.look(), gets.array(blackhole), engine);
        assertEquals(data.look(), gets.intoDirect(), engine);
      }
    }
  }

  private Binding written(String name, String engine, DataSet data, DataPlace place) throws Exception {
    Path path = Files.createDirectory(folder.resolve(name));
    if (place == DataPlace.MEMTABLE) {
      Binding binding = Engines.open(engine, path, Tuning.forReading(place));
      data.writeTo(binding);
      return binding;
    }
    DataSetFiles.write(engine, data, path, place);
    return Engines.open(engine, path, Tuning.forReading(place));
  }

  private List<Step> gets(GetLoop loop, String engine) {
    List<Step> gets = new ArrayList<>(List.of(() -> loop.array(blackhole), loop::intoArray, loop::intoDirect));
    if (!engine.equals(Binding.JNI)) {
      gets.addAll(List.of(loop::intoSegment, loop::pinned, loop::fillOrPin));
    }
    if (engine.equals(Binding.FFM)) {
      gets.addAll(List.of(loop::pinnedView, loop::callback, loop::inArena));
    }
    return gets;
  }

  @Test
  void allScansOfAllEnginesSeeTheSameRows() throws Exception {
    DataSet data = new DataSet(200, 100);
    Set<Long> sums = new TreeSet<>();
    for (String engine : ENGINES) {
      try (Binding binding = written(engine, engine, data, DataPlace.CACHE)) {
        for (int scan = 0; scan < 3; scan++) {
          sums.add(sum(scan, binding.scans(data, 150)::forward));
          sums.add(sum(scan, binding.scans(data, 150)::backward));
          sums.add(sum(scan, binding.scans(data, 150)::bounded));
          ScanLoop arrays = binding.scans(data, 150);
          sums.add(sum(scan, () -> arrays.arrays(blackhole)));
        }
        if (engine.equals(Binding.FFM)) {
          sums.add(sum(0, binding.scans(data, 150)::cursor));
        }
      }
    }
    assertEquals(1, sums.size(), sums::toString);
  }

  /** Returns the sum of the first scan, whose start is the same in each new loop; further scans only run. */
  private static long sum(int more, Step scan) throws Exception {
    long first = scan.run();
    for (int i = 0; i < more; i++) {
      scan.run();
    }
    return first;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allMultiGetsOfAllEnginesSeeTheSame(boolean sorted) throws Exception {
    DataSet data = new DataSet(ROWS, 4096);
    byte[][] keys = KeyLists.arranged(data.shuffledKeys(), ROWS / 3, 3, sorted);
    for (String engine : ENGINES) {
      try (Binding binding = written(engine, engine, data, DataPlace.CACHE)) {
        MultiGetLoop loop = binding.multiGets(keys, data.valueSize(), ROWS / 3, sorted);
        assertEquals(data.look(), thrice(() -> loop.list(blackhole)), engine);
        assertEquals(data.look(), thrice(engine.equals(Binding.JNI) ? loop::directBuffers : loop::pinned), engine);
      }
    }
  }

  private static long thrice(Step step) throws Exception {
    return step.run() + step.run() + step.run();
  }

  @ParameterizedTest
  @EnumSource(value = Tuning.Transactions.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void allTransactionsOfAllEnginesSeeTheSame(Tuning.Transactions kind) throws Exception {
    DataSet data = new DataSet(ROWS, 4096);
    byte[] value = data.value(0);
    long keys = (long) ROWS * DataSet.KEY_SIZE; // their first bytes are 0
    for (String engine : ENGINES) {
      try (Binding binding = Engines.open(engine, folder.resolve(engine), Tuning.forTransactions(kind))) {
        data.writeTo(binding);
        KeyCycle cycle = new KeyCycle(data.shuffledKeys()).startingAt(0);
        try (TransactionLoop loop = binding.transactions(cycle, value, ROWS, 1)) {
          long seen = data.look() - data.look(rowOf(data.shuffledKeys()[0])) + data.look(0); // the first row is written
          assertEquals(seen, loop.get(blackhole), engine);
          if (!engine.equals(Binding.JNI)) {
            assertEquals(seen, loop.pinned(), engine);
          }
          assertEquals(keys + seen, loop.scan(), engine);
        }
        try (TransactionLoop loop = binding.transactions(cycle.startingAt(0), value, ROWS / TransactionLoop.KEYS, 0)) {
          assertEquals(ROWS / TransactionLoop.KEYS, loop.update(), engine);
        }
        GetLoop gets = binding.gets(cycle.startingAt(0), data.valueSize(), ROWS);
        assertEquals(ROWS * data.look(0), gets.array(blackhole), engine);
      }
    }
  }

  private static int rowOf(byte[] key) {
    return (int) ByteBuffer.wrap(key).getLong();
  }

  @Test
  void allEnginesLeaveTheSameRowsBehind() throws Exception {
    byte[][] keys = new DataSet(ROWS, 0).shuffledKeys();
    byte[] value = {1, 0, 0, 0, 0, 0, 0, 0};
    List<String> left = new ArrayList<>();
    for (String engine : ENGINES) {
      Path path = folder.resolve(engine);
      try (Binding binding = Engines.open(engine, path, Tuning.forWriting(true))) {
        write(binding, keys, value);
      }
      try (FfmBinding reading = new FfmBinding(path, Tuning.forReading(DataPlace.CACHE))) {
        StringBuilder rows = new StringBuilder();
        for (byte[] key : keys) {
          rows.append(Arrays.toString(reading.db().get(key))).append('\n');
        }
        left.add(rows.toString());
      }
    }
    assertEquals(left.get(0), left.get(1));
    assertEquals(left.get(0), left.get(2));
  }

  /**
   * Puts 8 keys, deletes 4, merges 4, puts 4 by direct buffers, fills a batch without writing it, and writes another
   * batch.
   */
  private static void write(Binding binding, byte[][] keys, byte[] value) throws Exception {
    try (WriteLoop eight = binding.writes(new KeyCycle(keys).startingAt(0), value, 8);
        WriteLoop four = binding.writes(new KeyCycle(keys).startingAt(2), value, 4)) {
      assertEquals(8, eight.put());
      assertEquals(4, four.delete());
      assertEquals(4, four.merge());
      assertEquals(4, four.putDirect());
      assertEquals(8, eight.fillBatch());
      assertEquals(8, eight.writeBatch());
    }
  }

  @Test
  void allEnginesSendAllBytes() throws Exception {
    DataSet data = new DataSet(ROWS, 100_000);
    for (String engine : ENGINES) {
      try (Binding binding = written(engine, engine, data, DataPlace.CACHE);
          SocketReader drain = new SocketReader(folder.resolve(engine + ".socket"))) {
        KeyCycle keys = new KeyCycle(data.shuffledKeys());
        try (SendLoop loop = binding.sends(keys, data.valueSize(), ROWS, drain.path())) {
          assertEquals(ROWS * 100_000L, loop.send(), engine);
        }
        drain.awaitEnd();
        assertEquals(ROWS * 100_000L, drain.received(), engine);
      }
    }
  }

  @Test
  void eachEngineReadsWhatTheOthersWrote() throws Exception {
    DataSet data = new DataSet(1000, 100);
    for (String engine : ENGINES) {
      written(engine, engine, data, DataPlace.CACHE).close();
      for (String other : ENGINES) {
        try (Binding reader = Engines.open(other, folder.resolve(engine), Tuning.forReading(DataPlace.CACHE))) {
          assertEquals(data.look(), reader.gets(new KeyCycle(data.shuffledKeys()), 100, 1000).intoArray());
        }
      }
    }
  }

  @Test
  void compactionsDropWhatHasNoValueWhereTheyShall() throws Exception {
    DataSet data = new DataSet(10, 100);
    for (String engine : ENGINES) {
      Path path = folder.resolve(engine);
      try (Binding binding = Engines.open(engine, path, Tuning.forFiltering())) {
        data.writeTo(binding);
        binding.put(data.missingKey(0), new byte[0]);
        binding.flushAndCompact();
      }
      try (FfmBinding reading = new FfmBinding(path, Tuning.forReading(DataPlace.CACHE))) {
        assertNull(reading.db().get(data.missingKey(0)), engine);
        assertEquals(data.look(), reading.gets(new KeyCycle(data.shuffledKeys()), 100, 10).intoArray(), engine);
      }
    }
  }

  @Test
  void allEnginesRunWithTheSameOptions() throws Exception {
    List<Tuning> tunings = new ArrayList<>(List.of(Tuning.forWriting(false), Tuning.forWriting(true)));
    Stream.of(DataPlace.values()).map(Tuning::forReading).forEach(tunings::add);
    tunings.add(Tuning.forComparing(Tuning.Order.REVERSE_BYTEWISE));
    for (Tuning tuning : tunings) {
      List<Set<String>> options = new ArrayList<>();
      for (String engine : ENGINES) {
        Path path = folder.resolve(tunings.indexOf(tuning) + engine);
        Engines.open(engine, path, tuning).close();
        options.add(storedOptions(path));
      }
      assertEquals(without(options.get(1), options.get(0)), without(options.get(0), options.get(1)));
      assertEquals(without(options.get(2), options.get(0)), without(options.get(0), options.get(2)));
    }
  }

  private static Set<String> without(Set<String> some, Set<String> others) {
    Set<String> rest = new TreeSet<>(others);
    rest.removeAll(some);
    return rest;
  }

  /** Returns the lines of the newest OPTIONS file, which the engine wrote when the database was opened. */
  private static Set<String> storedOptions(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      Path latest =
          files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-")).sorted().toList().getLast();
      return new TreeSet<>(Files.readAllLines(latest));
    }
  }

  @Test
  void noEngineCountsWhatTheThreadDoesThatMadeALoop() throws Exception {
    DataSet data = new DataSet(ROWS, 100);
    for (String engine : ENGINES) {
      try (Binding binding = written(engine, engine, data, DataPlace.CACHE)) {
        if (binding instanceof NativeBinding) {
          EngineCounts.begin(); // other tests may have disabled counting
        }
        GetLoop gets = binding.gets(new KeyCycle(data.shuffledKeys()), data.valueSize(), ROWS);
        long before = comparisons(binding);
        gets.intoDirect();
        assertEquals(before, comparisons(binding), engine);
      }
    }
  }

  /** Returns the number of key comparisons that the engine has counted for this thread. */
  private static long comparisons(Binding binding) throws Exception {
    if (binding instanceof JniBinding jni) {
      return jni.db().getPerfContext().getUserKeyComparisonCount();
    }
    return EngineCounts.comparisons();
  }

  @Test
  void noEngineOpensWhatIsNoDatabase() throws Exception {
    Path file = Files.createFile(folder.resolve("a file"));
    for (String engine : ENGINES) {
      assertThrows(Exception.class, () -> Engines.open(engine, file, Tuning.forReading(DataPlace.CACHE)), engine);
    }
  }
}
