/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.rocksdbffm.internal.codec.RecordForm;

/**
 * Encodes records as the columns of entities, one column for each component, and decodes them. A decode reads the
 * columns of the record only, so a record with a few of the components of another is a projection.
 *
 * <pre>{@code
 * record User(String name, String city, Integer born) {}
 *
 * EntityCodec<User> codec = EntityCodec.of(MethodHandles.lookup(), User.class);
 * TypedKeys<Long, User> users = db.typed(KeyCodec.int64(), codec);
 * users.put(7L, new User("Ada", "London", 1815));
 *
 * record City(String city) {} // the other columns are not decoded
 * City city = db.typed(KeyCodec.int64(), EntityCodec.of(MethodHandles.lookup(), City.class)).get(7L);
 * }</pre>
 *
 * <p>The name of a column is the name of its component, in UTF-8, or as {@link #named} says. Values are encoded by the
 * codecs of {@link KeyCodec} for texts, byte arrays, {@code boolean}, signed numbers, UUIDs and times; an enum constant
 * is its name. {@link #with} sets another codec, which components of other types need.
 *
 * <p>A component that is null has no column, and a missing column is null for the constructor of the record. So a
 * record class may get components, except primitive ones, and lose them: a decode ignores columns that it does not know.
 * Rows that have no column for a primitive component are refused. A put replaces all columns of a key, also columns that
 * the record class does not know.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <R> the record class
 */
public final class EntityCodec<R extends Record> {
  private static final Map<Class<?>, ValueCodec<?>> CODECS =
      Map.ofEntries(
          entry(String.class, KeyCodec.string()),
          entry(byte[].class, KeyCodec.bytes()),
          entry(boolean.class, KeyCodec.bool()),
          entry(Boolean.class, KeyCodec.bool()),
          entry(byte.class, KeyCodec.int8()),
          entry(Byte.class, KeyCodec.int8()),
          entry(short.class, KeyCodec.int16()),
          entry(Short.class, KeyCodec.int16()),
          entry(int.class, KeyCodec.int32()),
          entry(Integer.class, KeyCodec.int32()),
          entry(long.class, KeyCodec.int64()),
          entry(Long.class, KeyCodec.int64()),
          entry(float.class, KeyCodec.float32()),
          entry(Float.class, KeyCodec.float32()),
          entry(double.class, KeyCodec.float64()),
          entry(Double.class, KeyCodec.float64()),
          entry(UUID.class, KeyCodec.uuid()),
          entry(Instant.class, KeyCodec.instant()),
          entry(Duration.class, KeyCodec.duration()),
          entry(LocalDate.class, KeyCodec.date()),
          entry(LocalDateTime.class, KeyCodec.dateTime()));

  private final RecordForm form;
  private final byte[][] names;
  private final ValueCodec<?>[] codecs; // null for components of types without a codec

  private EntityCodec(RecordForm form, byte[][] names, ValueCodec<?>[] codecs) {
    this.form = form;
    this.names = names;
    this.codecs = codecs;
  }

  /**
   * Returns the codec of a record class.
   *
   * @param lookup {@code MethodHandles.lookup()} of a class with access to the record class
   * @param type the record class
   * @param <R> the record class
   * @return the codec
   * @throws IllegalArgumentException if the lookup has no access to the constructor and the accessors
   */
  public static <R extends Record> EntityCodec<R> of(MethodHandles.Lookup lookup, Class<R> type) {
    RecordForm form = RecordForm.of(requireNonNull(lookup, "lookup"), requireNonNull(type, "type"));
    byte[][] names = new byte[form.count()][];
    ValueCodec<?>[] codecs = new ValueCodec<?>[form.count()];
    for (int i = 0; i < names.length; i++) {
      names[i] = Columns.utf8(form.name(i));
      codecs[i] = form.type(i).isEnum() ? ofEnum(form.type(i)) : CODECS.get(form.type(i));
    }
    return new EntityCodec<>(form, names, codecs);
  }

  private static ValueCodec<?> ofEnum(Class<?> type) {
    return KeyCodec.string().map(constant -> ((Enum<?>) constant).name(), name -> constant(type, name));
  }

  private static Object constant(Class<?> type, String name) {
    for (Object each : type.getEnumConstants()) {
      if (((Enum<?>) each).name().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        type.getName() + " has no constant '" + name + "'; it has " + Arrays.toString(type.getEnumConstants()));
  }

  /**
   * Returns a codec that encodes a component in another way.
   *
   * @param component the name of the component
   * @param codec the codec of its values, which gets no null; of the component's type, or of its wrapper class
   * @return the codec
   * @throws IllegalArgumentException if the record class has no such component, or the name has half of a surrogate pair
   */
  public EntityCodec<R> with(String component, ValueCodec<?> codec) {
    requireNonNull(component, "component");
    requireNonNull(codec, "codec");
    ValueCodec<?>[] changed = codecs.clone();
    changed[form.indexOf(component)] = codec;
    return new EntityCodec<>(form, names, changed);
  }

  /**
   * Returns a codec that stores a component in a column with another name: the name before the component was renamed,
   * or the empty name of the default column, which a plain {@link KeyReader#get(byte[]) get} reads.
   *
   * @param component the name of the component
   * @param column the name of its column
   * @return the codec
   * @throws IllegalArgumentException if the record class has no such component, or the name has half of a surrogate pair
   */
  public EntityCodec<R> named(String component, String column) {
    requireNonNull(component, "component");
    byte[] name = Views.utf8("column", column);
    byte[][] changed = names.clone();
    changed[form.indexOf(component)] = name;
    return new EntityCodec<>(form, changed, codecs);
  }

  /**
   * Encodes a record.
   *
   * @param record not null
   * @return a column for each component that is not null
   * @throws IllegalArgumentException if two components have the same column, a component has a type without a codec, or
   *     its codec does not take its value; the message names the component
   */
  public Columns encode(R record) {
    requireNonNull(record, "record");
    Columns columns = new Columns();
    for (int i = 0; i < names.length; i++) {
      Object value = form.get(i, record);
      ValueCodec<Object> codec = codec(i);
      if (value != null) {
        columns.add(names[i], MemorySegment.ofArray(encoded(i, codec, value)));
      }
    }
    return columns;
  }

  /**
   * Decodes a record. Exceptions of its constructor are passed on.
   *
   * @param entity borrowed
   * @return the record, with null for components whose columns are missing
   * @throws IllegalArgumentException if a column cannot be decoded, or the column of a primitive component is missing;
   *     the message names the component
   */
  public R decode(Entity entity) {
    requireNonNull(entity, "entity");
    Object[] values = new Object[names.length];
    for (int i = 0; i < names.length; i++) {
      ValueCodec<Object> codec = codec(i);
      MemorySegment bytes = entity.value(names[i]);
      values[i] = bytes == null ? null : decoded(i, codec, bytes);
      if (values[i] == null && form.type(i).isPrimitive()) {
        throw new IllegalArgumentException(
            describe(i) + ": no column has its value; declare it with a wrapper class, which may be null");
      }
    }
    @SuppressWarnings("unchecked") // the constructor of R made it
    R record = (R) form.make(values);
    return record;
  }

  private byte[] encoded(int index, ValueCodec<Object> codec, Object value) {
    try {
      return requireNonNull(codec.encode(value), () -> describe(index) + ": its codec returned null");
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          describe(index) + ": its codec takes no " + value.getClass().getName() + "; set another by EntityCodec.with", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(describe(index) + ": " + e.getMessage(), e);
    }
  }

  private Object decoded(int index, ValueCodec<Object> codec, MemorySegment bytes) {
    try {
      return codec.decode(bytes);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(describe(index) + ": " + e.getMessage(), e);
    }
  }

  @SuppressWarnings("unchecked") // of the component's type
  private ValueCodec<Object> codec(int index) {
    if (codecs[index] == null) {
      throw new IllegalArgumentException(
          describe(index) + ": " + form.type(index).getName() + " has no codec; set one by EntityCodec.with");
    }
    return (ValueCodec<Object>) codecs[index];
  }

  private String describe(int index) {
    return "component '" + form.name(index) + "' of " + form.type().getName();
  }

  @Override
  public String toString() {
    return "entities of " + form.type().getName();
  }
}
