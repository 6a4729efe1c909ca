/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.tools.Order;

/** Tests that encoded keys sort like their values, and can be decoded. */
final class KeyCodecTest {
  private static final Comparator<byte[]> ENGINE = Arrays::compareUnsigned;
  private static final int VALUES = 400;

  @TempDir Path folder;

  /** A codec, its order, and a source of values that are often equal or similar. */
  record Kind<T>(String name, KeyCodec<T> codec, Comparator<? super T> order, Function<Random, T> value) {
    Kind<T> descending() {
      return new Kind<>(name + ", descending", codec.descending(), Collections.reverseOrder(order), value);
    }

    /** Returns the codec as the first, a middle and the last component of tuples. */
    Stream<Kind<?>> inTuples() {
      Comparator<Pair<T, Integer>> before =
          Comparator.<Pair<T, Integer>, T>comparing(Pair::first, order).thenComparing(Pair::second);
      Comparator<Pair<Integer, T>> behind =
          Comparator.<Pair<Integer, T>, Integer>comparing(Pair::first).thenComparing(Pair::second, order);
      KeyCodec<Integer> number = KeyCodec.int32();
      return Stream.of(
          new Kind<>(
              name + " before a number",
              KeyCodec.tuple(codec.of(Pair<T, Integer>::first), number.of(Pair<T, Integer>::second), Pair::new),
              before,
              random -> new Pair<>(value.apply(random), random.nextInt(3) - 1)),
          new Kind<>(
              name + " behind a number",
              KeyCodec.tuple(number.of(Pair<Integer, T>::first), codec.of(Pair<Integer, T>::second), Pair::new),
              behind,
              random -> new Pair<>(random.nextInt(3) - 1, value.apply(random))));
    }

    List<T> some(Random random) {
      return Stream.generate(() -> value.apply(random)).limit(VALUES).toList();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  record Pair<A, B>(A first, B second) {}

  private static Stream<Kind<?>> simple() {
    return Stream.of(
        new Kind<>("bool", KeyCodec.bool(), Comparator.naturalOrder(), Random::nextBoolean),
        new Kind<>("int8", KeyCodec.int8(), Comparator.naturalOrder(), random -> (byte) number(random)),
        new Kind<>("int16", KeyCodec.int16(), Comparator.naturalOrder(), random -> (short) number(random)),
        new Kind<>("int32", KeyCodec.int32(), Comparator.naturalOrder(), random -> (int) number(random)),
        new Kind<>("int64", KeyCodec.int64(), Comparator.naturalOrder(), KeyCodecTest::number),
        new Kind<>("uint8", KeyCodec.uint8(), Comparator.naturalOrder(), random -> (int) number(random) & 0xff),
        new Kind<>("uint16", KeyCodec.uint16(), Comparator.naturalOrder(), random -> (int) number(random) & 0xffff),
        new Kind<>("uint32", KeyCodec.uint32(), Comparator.naturalOrder(), random -> number(random) & 0xffff_ffffL),
        new Kind<>("uint64", KeyCodec.uint64(), Long::compareUnsigned, KeyCodecTest::number),
        new Kind<>("float32", KeyCodec.float32(), Float::compare, KeyCodecTest::float32),
        new Kind<>("float64", KeyCodec.float64(), Double::compare, KeyCodecTest::float64),
        new Kind<>("text", KeyCodec.string(), KeyCodecTest::compareCodePoints, KeyCodecTest::text),
        new Kind<>("bytes", KeyCodec.bytes(), ENGINE, KeyCodecTest::bytes),
        new Kind<>("uuid", KeyCodec.uuid(), Comparator.comparing(UUID::toString), KeyCodecTest::uuid),
        new Kind<>("instant", KeyCodec.instant(), Comparator.naturalOrder(), KeyCodecTest::instant),
        new Kind<>("duration", KeyCodec.duration(), Comparator.naturalOrder(), KeyCodecTest::duration),
        new Kind<>("date", KeyCodec.date(), Comparator.naturalOrder(), KeyCodecTest::date),
        new Kind<>("dateTime", KeyCodec.dateTime(), Comparator.naturalOrder(), KeyCodecTest::dateTime));
  }

  static Stream<Kind<?>> kinds() {
    return simple()
        .<Kind<?>>flatMap(kind -> Stream.of(kind, kind.descending()))
        .flatMap(kind -> Stream.concat(Stream.of(kind), kind.inTuples()))
        .flatMap(kind -> Stream.of(kind, kind.descending()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T> void keysSortAsTheirValues(Kind<T> kind) {
    List<T> values = kind.some(new Random(1));
    List<byte[]> keys = values.stream().map(kind.codec()::encode).toList();
    for (int i = 0; i < values.size(); i++) {
      for (int j = 0; j < values.size(); j++) {
        T a = values.get(i);
        T b = values.get(j);
        assertEquals(
            Integer.signum(kind.order().compare(a, b)),
            Integer.signum(ENGINE.compare(keys.get(i), keys.get(j))),
            () -> a + " and " + b);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T> void aKeyIsReadAgain(Kind<T> kind) {
    for (T value : kind.some(new Random(2))) {
      byte[] key = kind.codec().encode(value);
      assertEquals(0, kind.order().compare(value, kind.codec().decode(key)), () -> value + " read again");
      assertArrayEquals(key, kind.codec().encode(kind.codec().decode(key)));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T> void bytesThatAreNoKeyAreRefusedOrRoundTrip(Kind<T> kind) {
    Random random = new Random(3);
    for (T value : kind.some(random)) {
      byte[] key = kind.codec().encode(value);
      byte[] changed = Arrays.copyOf(key, Math.max(0, key.length + random.nextInt(3) - 1));
      if (changed.length > 0) {
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      }
      T read;
      try {
        read = kind.codec().decode(changed);
      } catch (IllegalArgumentException refused) {
        continue;
      }
      T other = read;
      assertArrayEquals(changed, kind.codec().encode(other), () -> "" + other);
    }
  }

  @Test
  void theBytesAreTheseInEveryRelease() {
    assertEquals("80000001", hex(KeyCodec.int32().encode(1)));
    assertEquals("7fffffffffffffff", hex(KeyCodec.int64().encode(-1L)));
    assertEquals("ffffffff", hex(KeyCodec.uint32().encode(0xffff_ffffL)));
    assertEquals("ffffffffffffffff", hex(KeyCodec.uint64().encode(-1L)));
    assertEquals("bff0000000000000", hex(KeyCodec.float64().encode(1.0)));
    assertEquals("400fffffffffffff", hex(KeyCodec.float64().encode(-1.0)));
    assertEquals("bf800000", hex(KeyCodec.float32().encode(1.0f)));
    assertEquals("610062", hex(KeyCodec.string().encode("a\0b")));
    assertEquals("9e9d", hex(KeyCodec.string().descending().encode("ab")).substring(0, 4));
    assertEquals("9effff", hex(KeyCodec.string().descending().encode("a")));
    assertEquals("800000000000000100000002", hex(KeyCodec.instant().encode(Instant.ofEpochSecond(1, 2))));
    assertEquals("8000000000000001", hex(KeyCodec.date().encode(LocalDate.EPOCH.plusDays(1))));
    assertEquals(
        "00112233445566778899aabbccddeeff",
        hex(KeyCodec.uuid().encode(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"))));
    KeyCodec<Pair<String, Integer>> pairs =
        KeyCodec.tuple(
            KeyCodec.string().of(Pair<String, Integer>::first), KeyCodec.int32().of(Pair<String, Integer>::second),
            Pair::new);
    assertEquals("6100ff62000080000007", hex(pairs.encode(new Pair<>("a\0b", 7))));
  }

  private static String hex(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  @Test
  void valuesThatHaveNoKeyAreRefused() {
    assertRefused("value: 256 is not from 0 to 255", () -> KeyCodec.uint8().encode(256));
    assertRefused("value: -1 is not from 0 to 4294967295", () -> KeyCodec.uint32().encode(-1L));
    assertRefused(
        "value: the text has half of a surrogate pair, which UTF-8 cannot express",
        () -> KeyCodec.string().encode("\ud800"));
    assertRefused("bytes: 3 from 0 on are too few for a component of 4", () -> KeyCodec.int32().decode(new byte[3]));
    assertRefused("bytes: 1 of 5 are left behind the last component", () -> KeyCodec.int32().decode(new byte[5]));
    assertRefused("bytes: 2 is no boolean, which is 0 or 1", () -> KeyCodec.bool().decode(new byte[] {2}));
    NullPointerException missing =
        assertThrows(
            NullPointerException.class,
            () ->
                KeyCodec.tuple(
                        KeyCodec.string().of(Pair<String, Integer>::first),
                        KeyCodec.int32().of(Pair<String, Integer>::second),
                        Pair::new)
                    .encode(new Pair<>("a", null)));
    assertEquals("value: a component of it is null", missing.getMessage());
  }

  private static void assertRefused(String message, org.junit.jupiter.api.function.Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  record Order(String country, Instant placed, UUID id) {}

  private static final KeyCodec<Order> ORDERS =
      KeyCodec.tuple(
          KeyCodec.string().of(Order::country),
          KeyCodec.instant().descending().of(Order::placed),
          KeyCodec.uuid().of(Order::id),
          Order::new);

  @Test
  void theEngineScansTuplesInOrderAndByTheirFirstComponents() {
    Random random = new Random(4);
    List<Order> orders = new ArrayList<>();
    for (String country : List.of("N", "NO", "NO\0", "N\0O", "O")) {
      for (int i = 0; i < 20; i++) {
        orders.add(new Order(country, instant(random), uuid(random)));
      }
    }
    List<Order> sorted = new ArrayList<>(orders);
    sorted.sort(
        Comparator.comparing(Order::country)
            .thenComparing(Order::placed, Comparator.reverseOrder())
            .thenComparing(order -> order.id().toString()));
    try (RocksDb db = RocksDb.open(folder.resolve("orders"))) {
      orders.forEach(order -> db.put(ORDERS.encode(order), new byte[0]));
      assertEquals(sorted, scan(db, KeyRange.all()));
      assertEquals(
          sorted.stream().filter(order -> order.country().equals("NO")).toList(),
          scan(db, KeyCodec.string().prefix("NO")));
      assertEquals(sorted.subList(10, 30), scan(db, ORDERS.between(sorted.get(10), sorted.get(30))));
      assertEquals(sorted.subList(90, 100), scan(db, ORDERS.from(sorted.get(90))));
      assertEquals(sorted.subList(0, 5), scan(db, ORDERS.until(sorted.get(5))));
    }
  }

  private static List<Order> scan(RocksDb db, KeyRange range) {
    List<Order> found = new ArrayList<>();
    try (Scan rows = db.scan(range)) {
      while (rows.next()) {
        found.add(ORDERS.decode(rows.key()));
      }
    }
    return found;
  }

  private record Four(int a, String b, boolean c, byte[] d) {}

  @Test
  void fourComponentsSortByEachAfterThoseBeforeIt() {
    KeyCodec<Four> codec =
        KeyCodec.tuple(
            KeyCodec.int32().of(Four::a),
            KeyCodec.string().descending().of(Four::b),
            KeyCodec.bool().of(Four::c),
            KeyCodec.bytes().of(Four::d),
            Four::new);
    Random random = new Random(5);
    Comparator<Four> order =
        Comparator.comparing(Four::a)
            .thenComparing(Four::b, (x, y) -> compareCodePoints(y, x))
            .thenComparing(Four::c)
            .thenComparing(Four::d, ENGINE);
    List<Four> values =
        Stream.generate(() -> new Four(random.nextInt(2), text(random), random.nextBoolean(), bytes(random)))
            .limit(VALUES)
            .toList();
    for (Four a : values) {
      for (Four b : values) {
        assertEquals(
            Integer.signum(order.compare(a, b)), Integer.signum(ENGINE.compare(codec.encode(a), codec.encode(b))));
      }
      assertEquals(0, order.compare(a, codec.decode(codec.encode(a))));
    }
  }

  @Test
  void tuplesHaveAnyNumberOfComponents() {
    record Line(String shop, int year, long order, Four rest) {}

    KeyCodec.Part<Four, Integer> a = KeyCodec.int32().of(Four::a);
    KeyCodec.Part<Four, String> b = KeyCodec.string().descending().of(Four::b);
    KeyCodec.Part<Four, Boolean> c = KeyCodec.bool().of(Four::c);
    KeyCodec<Four> three =
        KeyCodec.tuple(List.of(a, b, c), parts -> new Four(parts.get(a), parts.get(b), parts.get(c), new byte[0]));
    KeyCodec.Part<Line, String> shop = KeyCodec.string().of(Line::shop);
    KeyCodec.Part<Line, Integer> year = KeyCodec.int32().of(Line::year);
    KeyCodec.Part<Line, Long> order = KeyCodec.int64().of(Line::order);
    KeyCodec.Part<Line, Four> rest = three.of(Line::rest);
    KeyCodec.Part<Line, Integer> again = KeyCodec.int32().of(line -> line.rest().a());
    KeyCodec<Line> codec =
        KeyCodec.tuple(
            List.of(shop, year, order, rest, again),
            parts -> new Line(parts.get(shop), parts.get(year) + parts.get(again), parts.get(order), parts.get(rest)));
    Line line = new Line("a\0", 20, -1, new Four(7, "b", true, new byte[0]));
    Line read = codec.decode(codec.encode(line));
    assertEquals(List.of("a\0", 27, -1L, 7, "b", true),
        List.of(read.shop, read.year, read.order, read.rest.a, read.rest.b, read.rest.c));
    assertArrayEquals(three.encode(line.rest),
        Arrays.copyOfRange(codec.encode(line), 17, 17 + three.encode(line.rest).length));
    var foreign = KeyCodec.<Line>tuple(List.of(shop), parts -> new Line(parts.get(shop), parts.get(year), 1, null));
    assertEquals(
        "part: it is none of the tuple's 1; read a part that the codec was made of",
        assertThrows(IllegalArgumentException.class, () -> foreign.decode(foreign.encode(line))).getMessage());
    assertThrows(IllegalArgumentException.class, () -> KeyCodec.<Line>tuple(List.of(), parts -> null));
  }

  private static long number(Random random) {
    long number = random.nextLong() >> random.nextInt(Long.SIZE);
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> Long.MIN_VALUE >> random.nextInt(Long.SIZE);
      case 2 -> Long.MAX_VALUE >> random.nextInt(Long.SIZE);
      default -> number;
    };
  }

  private static float float32(Random random) {
    float[] special = {0f, -0f, Float.NaN, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MAX_VALUE, Float.NEGATIVE_INFINITY};
    return random.nextInt(3) == 0 ? special[random.nextInt(special.length)] : Float.intBitsToFloat(random.nextInt());
  }

  private static double float64(Random random) {
    double[] special = {0, -0.0, Double.NaN, Double.MIN_VALUE, -Double.MAX_VALUE, Double.POSITIVE_INFINITY, 1, -1};
    return random.nextInt(3) == 0 ? special[random.nextInt(special.length)]
        : Double.longBitsToDouble(random.nextLong());
  }

  private static String text(Random random) {
    String[] parts = {"", "\0", "a", "ab", "\u0001", "\u00ff", "\uffff", "\ue000", "\ud83d\ude00", "z"};
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  private static int compareCodePoints(String a, String b) {
    return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(5)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(3) - 1);
    }
    return bytes;
  }

  private static UUID uuid(Random random) {
    return new UUID(number(random), number(random));
  }

  private static Instant instant(Random random) {
    long seconds = Instant.MIN.getEpochSecond();
    long range = Instant.MAX.getEpochSecond() - seconds;
    return switch (random.nextInt(4)) {
      case 0 -> Instant.ofEpochSecond(random.nextInt(3) - 1, random.nextInt(3));
      case 1 -> random.nextBoolean() ? Instant.MIN : Instant.MAX;
      default ->
          Instant.ofEpochSecond(seconds + Math.floorMod(random.nextLong(), range), random.nextInt(1_000_000_000));
    };
  }

  private static Duration duration(Random random) {
    return Duration.ofSeconds(number(random) / 2, random.nextInt(1_000_000_000));
  }

  private static LocalDate date(Random random) {
    return LocalDate.ofEpochDay(Math.floorMod(number(random), 2_000_000L) - 1_000_000);
  }

  private static LocalDateTime dateTime(Random random) {
    return LocalDateTime.of(date(random), LocalTime.ofNanoOfDay(Math.floorMod(random.nextLong(), 86_400_000_000_000L)));
  }
}
