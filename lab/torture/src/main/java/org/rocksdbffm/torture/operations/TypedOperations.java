/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TypedKeys;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.TypedReader.Entry;
import org.rocksdbffm.TypedWriter;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;

/**
 * Reads and writes typed keys and values, in shared databases, and in a separate one, checked against a map. Checks
 * that the codecs of keys, separately and in tuples, keep the order of values and decode to the same values.
 */
final class TypedOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("codec", 20, TypedOperations::codec),
          new Operation("typedRead", 60, TypedOperations::read),
          new Operation("typedWrites", 5, TypedOperations::write));

  private static final ValueCodec<byte[]> AS_IT_IS =
      ValueCodec.inPlace(value -> value, bytes -> bytes.toArray(ValueLayout.JAVA_BYTE));

  private TypedOperations() {}

  /** Reads with a codec that throws or reads another key, while the value is pinned. */
  private static void read(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    ValueCodec<byte[]> values =
        attempt.oneIn(10)
            ? ValueCodec.of(
                value -> value,
                bytes -> {
                  question.reader().contains(question.key());
                  return bytes;
                })
            : AS_IT_IS;
    KeyCodec<MemorySegment> keys =
        KeyCodec.bytes().map(segment -> segment.toArray(ValueLayout.JAVA_BYTE), MemorySegment::ofArray);
    TypedReader<MemorySegment, byte[]> typed = question.reader().typed(keys, values);
    question.check(typed.get(MemorySegment.ofArray(question.key())), attempt);
    boolean isThere = typed.contains(MemorySegment.ofArray(question.key()));
    attempt.check(!question.place().exact
        || isThere == (question.expected() != null), "a typed key that is there or not");
  }

  private static void write(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    Random random = attempt.random;
    TreeMap<Long, byte[]> model = new TreeMap<>();
    try (RocksDb db = RocksDb.at(folder).defaults(FamilyOptions.defaults().mergeOperator(MergeOperator.max())).open()) {
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
      views(attempt, model, db, numbers);
      List<byte[]> found = numbers.multiGet(List.of(1L, 2L));
      attempt.check(model.get(1L), found.get(0), "the first of two typed keys");
      attempt.check(model.get(2L), found.get(1), "the second of two typed keys");
    }
    try (OptimisticTransactionDb db = OptimisticTransactionDb.open(folder);
        Transaction transaction = db.begin()) {
      TypedKeys<Long, byte[]> plain = db.typed(KeyCodec.int64(), AS_IT_IS);
      attempt.check(transaction.forUpdate(plain).get(-101L) == null, "a typed key that was never put");
      TypedKeys<Long, byte[]> numbers = transaction.in(plain);
      numbers.putAll(Map.of(-100L, new byte[1]));
      attempt.check(numbers.first(KeyRange.all()).key() == -100L, "a typed key of a transaction");
    }
    RocksDb.destroy(folder);
  }

  /** Checks the rows through a snapshot and a batch with an index, in pages, and row by row. */
  private static void views(
      Attempt attempt, TreeMap<Long, byte[]> model, RocksDb db, TypedKeys<Long, byte[]> numbers) {
    WriteBatch writes = new WriteBatch();
    TypedWriter<Long, byte[]> added = writes.in(numbers);
    added.putAll(model);
    added.merge(100L, new byte[1]);
    added.deleteRange(100L, 101L);
    added.deleteRange(KeyCodec.int64().closed(100L, 101L));
    added.delete(100L);
    attempt.check(writes.count() == model.size() + 4, "the operations of a typed batch");
    numbers.putAll(model);
    try (IndexedBatch batch = db.indexedBatch();
        Snapshot snapshot = db.snapshot()) {
      batch.in(numbers).put(100L, new byte[1]);
      TypedReader<Long, byte[]> reader =
          attempt.oneIn(2) ? numbers : snapshot.of(numbers).hiding(Expiry.after(Duration.ofDays(100_000)));
      KeyRange all = KeyRange.all();
      List<Entry<Long, byte[]>> rows = new ArrayList<>(reader.page(all, 3));
      while (rows.size() < model.size()) {
        rows.addAll(reader.page(all, rows.getLast().key(), 3));
      }
      check(attempt, model, rows.stream());
      TreeMap<Long, byte[]> each = new TreeMap<>();
      reader.forEach(all, each::put);
      attempt.check(each.keySet().equals(model.keySet()), "typed keys, each by itself");
      Entry<Long, byte[]> last = reader.last(all);
      attempt.check(model.isEmpty() == (last == null), "a last row that is there or not");
      attempt.check(last == null
          || model.lastKey().equals(last.key()) && reader.first(all).key().equals(model.firstKey()), "ends");
      attempt.check(reader.getOrDefault(100L, new byte[7]).length == 7, "the default of a typed key");
      attempt.check(batch.in(numbers).hiding(Expiry.after(Duration.ZERO)).contains(100L), "a typed key of a batch");
      TypedKeys<Long, byte[]> aging = batch.in(numbers).expiring(Duration.ofDays(1));
      aging.put(101L, new byte[] {5});
      attempt.check(aging.contains(101L) && aging.get(101L)[0] == 5, "a typed key with an age");
      attempt.check(!snapshot.of(numbers).expiring(Duration.ofDays(1)).contains(101L), "a key of the batch");
    }
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

  private record Sample<T extends Comparable<? super T>>(KeyCodec<T> codec, Function<Random, T> value) {
    void tryOut(Attempt attempt) {
      check(attempt, codec, value, 1);
      check(attempt, codec.descending(), value, -1);
      KeyCodec<Tagged<T>> tagged =
          KeyCodec.tuple(
              codec.of(Tagged<T>::value), KeyCodec.bool().of(Tagged<T>::flag), Tagged<T>::new);
      Tagged<T> one = new Tagged<>(value.apply(attempt.random), attempt.oneIn(2));
      attempt.check(tagged.decode(tagged.encode(one)).equals(one), "a tuple that is read as another");
      KeyRange all = codec.prefix(one.value());
      attempt.check(all.equals(KeyRange.prefix(prefix(codec, tagged, one))), "a prefix that is not its tuple's");
      attempt.check(codec.prefixes(one.value(), one.value()).equals(all), "prefixes from one to itself");
    }

    /** Returns the tuple's key without its last byte, the flag. */
    private static <T> byte[] prefix(KeyCodec<T> codec, KeyCodec<Tagged<T>> tagged, Tagged<T> one) {
      byte[] key = tagged.encode(one);
      return Arrays.copyOf(key, key.length - 1);
    }

    private static <T extends Comparable<? super T>> void check(
        Attempt attempt, KeyCodec<T> codec, Function<Random, T> value, int sign) {
      T a = value.apply(attempt.random);
      T b = value.apply(attempt.random);
      byte[] keyOfA = codec.encode(a);
      byte[] keyOfB = codec.encode(b);
      attempt.check(
          Integer.signum(Arrays.compareUnsigned(keyOfA, keyOfB)) == sign * Integer.signum(a.compareTo(b)),
          "keys that sort unlike " + a + " and " + b);
      attempt.check(codec.decode(keyOfA).compareTo(a) == 0, "a key that is read as another");
      attempt.check(codec.decode(MemorySegment.ofArray(keyOfB)).compareTo(b) == 0, "a key that is read as another");
      attempt.check(codec.from(a).equals(KeyRange.from(keyOfA)), "from");
      attempt.check(codec.until(b).equals(KeyRange.until(keyOfB)), "until");
      attempt.check(codec.after(a).equals(KeyRange.after(keyOfA)), "after");
      attempt.check(codec.through(b).equals(KeyRange.through(keyOfB)), "through");
      attempt.check(codec.closed(a, b).equals(KeyRange.closed(keyOfA, keyOfB)), "closed");
    }
  }

  private record Tagged<T>(T value, boolean flag) {}

  private record Three(int a, long b, String c) {}

  private record Four(int a, int b, long c, byte[] d) {}

  private static final List<Sample<?>> SAMPLES =
      List.of(
          new Sample<>(KeyCodec.bool(), Random::nextBoolean),
          new Sample<>(KeyCodec.int8(), random -> (byte) random.nextInt()),
          new Sample<>(KeyCodec.int16(), random -> (short) random.nextInt()),
          new Sample<>(KeyCodec.int32(), Random::nextInt),
          new Sample<>(KeyCodec.int64(), Random::nextLong),
          new Sample<>(KeyCodec.uint64(), random -> random.nextLong() >>> 1),
          new Sample<>(KeyCodec.float32(), Random::nextFloat),
          new Sample<>(KeyCodec.float64(), Random::nextGaussian),
          new Sample<>(KeyCodec.string(), random -> Integer.toString(random.nextInt(100))),
          new Sample<>(KeyCodec.instant(), random -> Instant.ofEpochMilli(random.nextInt())),
          new Sample<>(KeyCodec.duration(), random -> Duration.ofMillis(random.nextInt())),
          new Sample<>(KeyCodec.date(), random -> LocalDate.ofEpochDay(random.nextInt(100_000))),
          new Sample<>(
              KeyCodec.dateTime(), random -> LocalDateTime.ofEpochSecond(random.nextInt(), 1, ZoneOffset.UTC)));

  private static void codec(Attempt attempt) {
    attempt.oneOf(SAMPLES).tryOut(attempt);
    Three three = new Three(attempt.random.nextInt(1 << 16), attempt.random.nextInt(1 << 30), "c");
    KeyCodec<Three> threes =
        KeyCodec.tuple(
            KeyCodec.uint16().of(Three::a), KeyCodec.uint32().of(Three::b), KeyCodec.string().of(Three::c), Three::new);
    attempt.check(threes.decode(threes.encode(three)).equals(three), "three components that are read as others");
    Four four =
        new Four(attempt.random.nextInt(1 << 8), 1, attempt.random.nextLong(), ClientBytes.value(attempt.random));
    KeyCodec<Four> fours =
        KeyCodec.tuple(
            new KeyCodec.Part<>(KeyCodec.uint8(), Four::a),
            KeyCodec.int32().of(Four::b),
            KeyCodec.int64().of(Four::c),
            KeyCodec.bytes().of(Four::d),
            Four::new);
    attempt.check(Arrays.equals(fours.decode(fours.encode(four)).d(), four.d()),
        "four components that are read as others");
    KeyCodec.Part<Three, Integer> a = KeyCodec.int32().of(Three::a);
    KeyCodec<Three> some = KeyCodec.tuple(List.of(a), each -> new Three(each.get(a), three.b(), three.c()));
    attempt.check(some.decode(some.encode(three)).equals(three), "components that are read as others");
    byte[] counted = ValueCodec.counter().encode(three.b());
    attempt.check(ValueCodec.counter().decode(MemorySegment.ofArray(counted)) == three.b(),
        "a counter that is read as another");
    UUID id = new UUID(attempt.random.nextLong(), attempt.random.nextLong());
    KeyCodec<String> ids = KeyCodec.uuid().map(UUID::fromString, UUID::toString);
    KeyCodec.Part<Tagged<String>, String> part = ids.of(Tagged<String>::value);
    Tagged<String> tagged = new Tagged<>(id.toString(), true);
    byte[] key = part.codec().encode(part.get().apply(tagged));
    attempt.check(ids.between(ids.decode(key), tagged.value()).equals(KeyRange.between(key, key)), "a UUID of its own");
  }
}
