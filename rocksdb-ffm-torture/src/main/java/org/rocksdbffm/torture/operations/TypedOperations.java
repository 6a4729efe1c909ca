/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TypedKeys;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.TypedReader.Entry;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Operation;

/** Keys and values as objects: wherever anything can be read, and in a database of their own, held against a map. */
final class TypedOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("typedRead", 60, TypedOperations::read), new Operation("typedWrites", 5, TypedOperations::write));

  private static final ValueCodec<byte[]> AS_IT_IS =
      ValueCodec.of(value -> value, bytes -> bytes.toArray(ValueLayout.JAVA_BYTE));

  private TypedOperations() {}

  /** A codec that fails, or reads again, runs where a value is pinned. */
  private static void read(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    ValueCodec<byte[]> values =
        attempt.oneIn(10)
            ? ValueCodec.of(
                value -> value,
                bytes -> {
                  question.reader().contains(question.key());
                  return bytes.toArray(ValueLayout.JAVA_BYTE);
                })
            : AS_IT_IS;
    KeyCodec<MemorySegment> keys =
        KeyCodec.bytes().map(segment -> segment.toArray(ValueLayout.JAVA_BYTE), MemorySegment::ofArray);
    TypedReader<MemorySegment, byte[]> typed = question.reader().typed(keys, values);
    question.check(typed.get(MemorySegment.ofArray(question.key())), attempt);
    boolean isThere = typed.contains(MemorySegment.ofArray(question.key()));
    attempt.check(!question.place().exact || isThere == (question.expected() != null), "a typed key that is there or not");
  }

  private static void write(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    Random random = attempt.random;
    TreeMap<Long, byte[]> model = new TreeMap<>();
    try (RocksDb db = RocksDb.open(folder)) {
      TypedKeys<Long, byte[]> numbers = db.typed(KeyCodec.int64(), AS_IT_IS);
      for (int i = 0; i < 30; i++) {
        long key = random.nextInt(20) - 10;
        switch (random.nextInt(3)) {
          case 0 -> {
            byte[] value = new byte[random.nextInt(3000)];
            random.nextBytes(value);
            numbers.put(key, value);
            model.put(key, value);
          }
          case 1 -> {
            numbers.delete(key);
            model.remove(key);
          }
          default -> {
            if (random.nextBoolean()) {
              numbers.deleteRange(key, key + 2);
            } else {
              numbers.deleteRange(KeyCodec.int64().closed(key, key + 1));
            }
            model.subMap(key, key + 2).clear();
          }
        }
      }
      check(attempt, model, numbers.stream(KeyRange.all()));
      check(attempt, model.descendingMap(), numbers.streamBackward(KeyRange.all()));
      List<byte[]> found = numbers.multiGet(List.of(1L, 2L));
      attempt.check(model.get(1L), found.get(0), "the first of two typed keys");
      attempt.check(model.get(2L), found.get(1), "the second of two typed keys");
    }
    RocksDb.destroy(folder);
  }

  private static void check(Attempt attempt, Map<Long, byte[]> model, Stream<Entry<Long, byte[]>> entries) {
    List<Entry<Long, byte[]>> all;
    try (entries) {
      all = new ArrayList<>(entries.toList());
    }
    attempt.check(
        all.stream().map(entry -> new Entry<>(entry.key(), entry.value().length)).toList()
            .equals(model.entrySet().stream().map(row -> new Entry<>(row.getKey(), row.getValue().length)).toList()),
        "typed keys in their order");
    all.forEach(entry -> attempt.check(model.get(entry.key()), entry.value(), "the value of a typed key"));
  }
}
