/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.rocksdbffm.internal.codec.KeyForm;
import org.rocksdbffm.internal.codec.KeySink;
import org.rocksdbffm.internal.codec.KeySource;
import org.rocksdbffm.internal.codec.Numbers;
import org.rocksdbffm.internal.codec.Sequences;
import org.rocksdbffm.internal.codec.Times;
import org.rocksdbffm.internal.codec.Tuples;
import org.rocksdbffm.internal.codec.Uuids;

/**
 * Encodes values of a type as keys, and decodes them, so that the engine's default order, by unsigned bytes, is the
 * order of the values. Preferable to a Java comparator: it adds no cost to the engine, other programs can read the
 * keys, and it cannot contradict itself.
 *
 * <pre>{@code
 * record Order(String country, Instant placed, UUID id) {}
 *
 * KeyCodec<Order> orders =
 *     KeyCodec.tuple(
 *         KeyCodec.string().of(Order::country),
 *         KeyCodec.instant().descending().of(Order::placed), // the newest first
 *         KeyCodec.uuid().of(Order::id),
 *         Order::new);
 * db.put(orders.encode(order), value);
 * db.scan(KeyCodec.string().prefix("NO")); // all orders of Norway
 * }</pre>
 *
 * <p>The encoding is the same in every release. Immutable and thread-safe.
 *
 * @param <T> the type of the values
 */
public final class KeyCodec<T> implements ValueCodec<T> {
  private final KeyForm<T> form;

  private KeyCodec(KeyForm<T> form) {
    this.form = form;
  }

  /**
   * One component of a {@linkplain KeyCodec#tuple tuple}; created by {@link KeyCodec#of}.
   *
   * @param codec the codec of the component
   * @param get returns the component of a tuple value
   * @param <T> the type of the tuple's values
   * @param <A> the type of the component
   */
  public record Part<T, A>(KeyCodec<A> codec, Function<? super T, ? extends A> get) {
    /**
     * Checks for null.
     *
     * @param codec the codec of the component
     * @param get returns the component of a tuple value
     */
    public Part {
      requireNonNull(codec, "codec");
      requireNonNull(get, "get");
    }

    private Tuples.Component<T, A> component() {
      return new Tuples.Component<>(codec.form, get);
    }
  }

  /**
   * The decoded components of a key; see {@link #tuple(List, Function)}.
   *
   * @param <T> the type of the tuple's values
   */
  public sealed interface Components<T> {
    /**
     * Returns a component.
     *
     * @param part a part of the codec
     * @param <A> the type of the component
     * @return the component
     */
    <A> A get(Part<T, A> part);
  }

  private record Read<T>(List<Part<T, ?>> parts, Object[] values) implements Components<T> {
    @Override
    @SuppressWarnings("unchecked") // the part read it
    public <A> A get(Part<T, A> part) {
      int at = parts.indexOf(requireNonNull(part, "part"));
      if (at < 0) {
        throw new IllegalArgumentException(
            "part: it is none of the tuple's " + parts.size() + "; read a part that the codec was made of");
      }
      return (A) values[at];
    }
  }

  /**
   * Creates a value from three components.
   *
   * @param <A> the type of the first component
   * @param <B> the type of the second
   * @param <C> the type of the third
   * @param <T> the type of the value
   */
  @FunctionalInterface
  public interface Of3<A, B, C, T> {
    /**
     * Creates the value.
     *
     * @param first the first component
     * @param second the second
     * @param third the third
     * @return the value
     */
    T make(A first, B second, C third);
  }

  /**
   * Creates a value from four components.
   *
   * @param <A> the type of the first component
   * @param <B> the type of the second
   * @param <C> the type of the third
   * @param <D> the type of the fourth
   * @param <T> the type of the value
   */
  @FunctionalInterface
  public interface Of4<A, B, C, D, T> {
    /**
     * Creates the value.
     *
     * @param first the first component
     * @param second the second
     * @param third the third
     * @param fourth the fourth
     * @return the value
     */
    T make(A first, B second, C third, D fourth);
  }

  /**
   * Returns the codec of booleans, in one byte.
   *
   * @return the codec
   */
  public static KeyCodec<Boolean> bool() {
    return new KeyCodec<>(Numbers.unsigned(Byte.BYTES).map(value -> value ? 1L : 0L, KeyCodec::bool));
  }

  private static boolean bool(long number) {
    if (number > 1) {
      throw new IllegalArgumentException("bytes: " + number + " is no boolean, which is 0 or 1");
    }
    return number == 1;
  }

  /**
   * Returns the codec of numbers from -128 to 127, in one byte.
   *
   * @return the codec
   */
  public static KeyCodec<Byte> int8() {
    return new KeyCodec<>(Numbers.signed(Byte.BYTES).map(Byte::longValue, Long::byteValue));
  }

  /**
   * Returns the codec of 16-bit numbers, in two bytes.
   *
   * @return the codec
   */
  public static KeyCodec<Short> int16() {
    return new KeyCodec<>(Numbers.signed(Short.BYTES).map(Short::longValue, Long::shortValue));
  }

  /**
   * Returns the codec of 32-bit numbers, in four bytes.
   *
   * @return the codec
   */
  public static KeyCodec<Integer> int32() {
    return new KeyCodec<>(Numbers.signed(Integer.BYTES).map(Integer::longValue, Long::intValue));
  }

  /**
   * Returns the codec of 64-bit numbers, in eight bytes.
   *
   * @return the codec
   */
  public static KeyCodec<Long> int64() {
    return new KeyCodec<>(Numbers.signed(Long.BYTES));
  }

  /**
   * Returns the codec of numbers from 0 to 255, in one byte.
   *
   * @return the codec, which refuses other values
   */
  public static KeyCodec<Integer> uint8() {
    return new KeyCodec<>(Numbers.unsigned(Byte.BYTES).map(Integer::longValue, Long::intValue));
  }

  /**
   * Returns the codec of numbers from 0 to 65,535, in two bytes.
   *
   * @return the codec, which refuses other values
   */
  public static KeyCodec<Integer> uint16() {
    return new KeyCodec<>(Numbers.unsigned(Short.BYTES).map(Integer::longValue, Long::intValue));
  }

  /**
   * Returns the codec of numbers from 0 to 4,294,967,295, in four bytes.
   *
   * @return the codec, which refuses other values
   */
  public static KeyCodec<Long> uint32() {
    return new KeyCodec<>(Numbers.unsigned(Integer.BYTES));
  }

  /**
   * Returns the codec of unsigned 64-bit numbers, in eight bytes, sorted as {@link Long#compareUnsigned}.
   *
   * @return the codec
   */
  public static KeyCodec<Long> uint64() {
    return new KeyCodec<>(Numbers.unsigned64());
  }

  /**
   * Returns the codec of 32-bit floating point numbers, in four bytes, sorted as {@link Float#compare}.
   *
   * @return the codec, which encodes all NaNs equally
   */
  public static KeyCodec<Float> float32() {
    return new KeyCodec<>(Numbers.float32());
  }

  /**
   * Returns the codec of 64-bit floating point numbers, in eight bytes, sorted as {@link Double#compare}.
   *
   * @return the codec, which encodes all NaNs equally
   */
  public static KeyCodec<Double> float64() {
    return new KeyCodec<>(Numbers.float64());
  }

  /**
   * Returns the codec of texts, in UTF-8. They sort by code points, as {@link String#compareTo} except for characters
   * beyond the basic plane.
   *
   * @return the codec, which refuses half a surrogate pair
   */
  public static KeyCodec<String> string() {
    return new KeyCodec<>(Sequences.string());
  }

  /**
   * Returns the codec of byte arrays, for components of a tuple.
   *
   * @return the codec
   */
  public static KeyCodec<byte[]> bytes() {
    return new KeyCodec<>(Sequences.bytes());
  }

  /**
   * Returns the codec of UUIDs, in 16 bytes, sorted as their texts, unlike {@link UUID#compareTo}.
   *
   * @return the codec
   */
  public static KeyCodec<UUID> uuid() {
    return new KeyCodec<>(Uuids.uuid());
  }

  /**
   * Returns the codec of points in time with nanoseconds, in twelve bytes.
   *
   * @return the codec
   */
  public static KeyCodec<Instant> instant() {
    return new KeyCodec<>(Times.instant());
  }

  /**
   * Returns the codec of durations with nanoseconds, in twelve bytes.
   *
   * @return the codec
   */
  public static KeyCodec<Duration> duration() {
    return new KeyCodec<>(Times.duration());
  }

  /**
   * Returns the codec of days, in eight bytes.
   *
   * @return the codec
   */
  public static KeyCodec<LocalDate> date() {
    return new KeyCodec<>(Times.date());
  }

  /**
   * Returns the codec of days and times with nanoseconds, in 16 bytes.
   *
   * @return the codec
   */
  public static KeyCodec<LocalDateTime> dateTime() {
    return new KeyCodec<>(Times.dateTime());
  }

  /**
   * Returns the codec of keys with two components, sorted by the first, then by the second. A component may be a tuple.
   *
   * @param first the first component
   * @param second the second
   * @param make creates the value
   * @param <A> the type of the first component
   * @param <B> the type of the second
   * @param <T> the type of the values
   * @return the codec
   */
  @SuppressWarnings("unchecked") // the parts read them
  public static <A, B, T> KeyCodec<T> tuple(
      Part<T, A> first, Part<T, B> second, BiFunction<? super A, ? super B, ? extends T> make) {
    requireNonNull(first, "first");
    requireNonNull(second, "second");
    requireNonNull(make, "make");
    return ofParts(List.of(first, second), values -> make.apply((A) values[0], (B) values[1]));
  }

  /**
   * Returns the codec of keys with three components, sorted by the first, then by the second, then by the third.
   *
   * @param first the first component
   * @param second the second
   * @param third the third
   * @param make creates the value
   * @param <A> the type of the first component
   * @param <B> the type of the second
   * @param <C> the type of the third
   * @param <T> the type of the values
   * @return the codec
   */
  @SuppressWarnings("unchecked") // the parts read them
  public static <A, B, C, T> KeyCodec<T> tuple(
      Part<T, A> first, Part<T, B> second, Part<T, C> third, Of3<? super A, ? super B, ? super C, ? extends T> make) {
    requireNonNull(first, "first");
    requireNonNull(second, "second");
    requireNonNull(third, "third");
    requireNonNull(make, "make");
    return ofParts(
        List.of(first, second, third), values -> make.make((A) values[0], (B) values[1], (C) values[2]));
  }

  /**
   * Returns the codec of keys with four components, sorted by each component in turn.
   *
   * @param first the first component
   * @param second the second
   * @param third the third
   * @param fourth the fourth
   * @param make creates the value
   * @param <A> the type of the first component
   * @param <B> the type of the second
   * @param <C> the type of the third
   * @param <D> the type of the fourth
   * @param <T> the type of the values
   * @return the codec
   */
  @SuppressWarnings("unchecked") // the parts read them
  public static <A, B, C, D, T> KeyCodec<T> tuple(
      Part<T, A> first,
      Part<T, B> second,
      Part<T, C> third,
      Part<T, D> fourth,
      Of4<? super A, ? super B, ? super C, ? super D, ? extends T> make) {
    requireNonNull(first, "first");
    requireNonNull(second, "second");
    requireNonNull(third, "third");
    requireNonNull(fourth, "fourth");
    requireNonNull(make, "make");
    return ofParts(
        List.of(first, second, third, fourth),
        values -> make.make((A) values[0], (B) values[1], (C) values[2], (D) values[3]));
  }

  /**
   * Returns the codec of keys with any number of components, sorted by each component in turn.
   *
   * <pre>{@code
   * KeyCodec.Part<Line, String> shop = KeyCodec.string().of(Line::shop);
   * ... // and four more
   * KeyCodec<Line> lines =
   *     KeyCodec.tuple(
   *         List.of(shop, year, order, line, part),
   *         its -> new Line(its.get(shop), its.get(year), its.get(order), its.get(line), its.get(part)));
   * }</pre>
   *
   * @param parts the components, at least one
   * @param make creates the value from the decoded components
   * @param <T> the type of the values
   * @return the codec
   */
  public static <T> KeyCodec<T> tuple(
      List<Part<T, ?>> parts, Function<? super Components<T>, ? extends T> make) {
    List<Part<T, ?>> partList = List.copyOf(requireNonNull(parts, "parts"));
    requireNonNull(make, "make");
    if (partList.isEmpty()) {
      throw new IllegalArgumentException("parts: there are none, but a tuple has at least one");
    }
    return ofParts(partList, values -> make.apply(new Read<>(partList, values)));
  }

  private static <T> KeyCodec<T> ofParts(List<Part<T, ?>> parts, Function<Object[], T> make) {
    List<Tuples.Component<T, ?>> components = parts.stream().<Tuples.Component<T, ?>>map(Part::component).toList();
    return new KeyCodec<>(Tuples.of(components, make));
  }

  /**
   * Returns this codec as a component of a tuple.
   *
   * @param get returns the component of a tuple value
   * @param <U> the type of the tuple's values
   * @return the component
   */
  public <U> Part<U, T> of(Function<? super U, ? extends T> get) {
    return new Part<>(this, get);
  }

  /**
   * Returns a codec that sorts in the opposite order.
   *
   * @return a codec of the same values with other keys
   */
  public KeyCodec<T> descending() {
    return new KeyCodec<>(form.descending());
  }

  /**
   * Returns a codec of another type, with the same keys.
   *
   * @param encoded converts a value for this codec
   * @param decoded converts it back
   * @param <U> the type of the values
   * @return the codec
   */
  public <U> KeyCodec<U> map(Function<? super U, ? extends T> encoded, Function<? super T, ? extends U> decoded) {
    return new KeyCodec<>(form.map(requireNonNull(encoded, "encoded"), requireNonNull(decoded, "decoded")));
  }

  /**
   * Encodes a value as a key.
   *
   * @param value the value
   * @return a new array, which the caller <em>owns</em>
   */
  @Override
  public byte[] encode(T value) {
    return encode(value, true);
  }

  private byte[] encode(T value, boolean last) {
    KeySink sink = new KeySink();
    form.write(requireNonNull(value, "value"), sink, last);
    return sink.toKey();
  }

  /**
   * Decodes a key.
   *
   * @param key a key that {@link #encode} returned
   * @return the value
   * @throws IllegalArgumentException if the bytes are not a key of this codec
   */
  public T decode(byte[] key) {
    return decode(MemorySegment.ofArray(requireNonNull(key, "key")));
  }

  /**
   * Decodes a key without copying it, such as the key of a scan's row.
   *
   * @param key a key that {@link #encode} returned; borrowed
   * @return the value
   * @throws IllegalArgumentException if the bytes are not a key of this codec
   */
  @Override
  public T decode(MemorySegment key) {
    KeySource source = new KeySource(requireNonNull(key, "key"));
    T value = form.read(source, true);
    source.requireEnd();
    return value;
  }

  /**
   * Returns the range from a value on, in the order of this codec.
   *
   * @param value the inclusive lower bound
   * @return the range
   */
  public KeyRange from(T value) {
    return KeyRange.from(encode(value));
  }

  /**
   * Returns the range before a value, in the order of this codec.
   *
   * @param value the exclusive upper bound
   * @return the range
   */
  public KeyRange until(T value) {
    return KeyRange.until(encode(value));
  }

  /**
   * Returns the range from one value up to, but not including, another, in the order of this codec.
   *
   * @param from the inclusive lower bound
   * @param until the exclusive upper bound
   * @return the range
   */
  public KeyRange between(T from, T until) {
    return KeyRange.between(encode(requireNonNull(from, "from")), encode(requireNonNull(until, "until")));
  }

  /**
   * Returns the range after a value, in the order of this codec.
   *
   * @param value the exclusive lower bound
   * @return the range
   */
  public KeyRange after(T value) {
    return KeyRange.after(encode(value));
  }

  /**
   * Returns the range up to and including a value, in the order of this codec; for tuples that start with a value, see
   * {@link #prefixes}.
   *
   * @param value the inclusive upper bound
   * @return the range
   */
  public KeyRange through(T value) {
    return KeyRange.through(encode(value));
  }

  /**
   * Returns the range from one value up to and including another, in the order of this codec; for tuples that start
   * with a value, see {@link #prefixes}.
   *
   * @param from the inclusive lower bound
   * @param through the inclusive upper bound
   * @return the range
   */
  public KeyRange closed(T from, T through) {
    return KeyRange.closed(encode(requireNonNull(from, "from")), encode(requireNonNull(through, "through")));
  }

  /**
   * Returns the range of all tuples that start with a value between two values, both included; see {@link #prefix}.
   *
   * @param first the smallest first component
   * @param last the largest first component
   * @return the range
   */
  public KeyRange prefixes(T first, T last) {
    return KeyRange.ofPrefixes(
        encode(requireNonNull(first, "first"), false), encode(requireNonNull(last, "last"), false));
  }

  /**
   * Returns the range of all tuples that start with a value of this codec: as their first component or, if this is a
   * codec of tuples, as their first components.
   *
   * @param value the start of the tuples
   * @return the range
   */
  public KeyRange prefix(T value) {
    return KeyRange.prefix(encode(value, false));
  }
}
