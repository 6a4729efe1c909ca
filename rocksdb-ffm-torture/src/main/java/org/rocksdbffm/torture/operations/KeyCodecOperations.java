/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.Bytes;
import org.rocksdbffm.torture.world.Operation;

/** Codecs of keys: values of every kind, alone and in tuples, sorted as their keys are and read again. */
public final class KeyCodecOperations {
  static final List<Operation> ALL = List.of(new Operation("codec", 20, KeyCodecOperations::codec));

  private KeyCodecOperations() {}

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

    /** A tuple's key ends with the one byte of its flag. */
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
          new Sample<>(KeyCodec.text(), random -> Integer.toString(random.nextInt(100))),
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
            KeyCodec.uint16().of(Three::a), KeyCodec.uint32().of(Three::b), KeyCodec.text().of(Three::c), Three::new);
    attempt.check(threes.decode(threes.encode(three)).equals(three), "three components that are read as others");
    Four four = new Four(attempt.random.nextInt(1 << 8), 1, attempt.random.nextLong(), Bytes.value(attempt.random));
    KeyCodec<Four> fours =
        KeyCodec.tuple(
            new KeyCodec.Part<>(KeyCodec.uint8(), Four::a),
            KeyCodec.int32().of(Four::b),
            KeyCodec.int64().of(Four::c),
            KeyCodec.bytes().of(Four::d),
            Four::new);
    attempt.check(Arrays.equals(fours.decode(fours.encode(four)).d(), four.d()), "four components that are read as others");
    UUID id = new UUID(attempt.random.nextLong(), attempt.random.nextLong());
    KeyCodec<String> ids = KeyCodec.uuid().map(UUID::fromString, UUID::toString);
    KeyCodec.Part<Tagged<String>, String> part = ids.of(Tagged<String>::value);
    Tagged<String> tagged = new Tagged<>(id.toString(), true);
    byte[] key = part.codec().encode(part.get().apply(tagged));
    attempt.check(ids.between(ids.decode(key), tagged.value()).equals(KeyRange.between(key, key)), "a UUID of its own");
  }
}
