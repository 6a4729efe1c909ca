/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Rejects arguments that a native method must not get, as the {@code .arguments} files say. The relinker inserts the
 * calls at the start of the methods. Each exception names the parameter.
 */
public final class Arguments {
  private Arguments() {}

  public static void present(Object value, String name) {
    if (value == null) {
      throw new NullPointerException(name);
    }
  }

  /** Throws if the pointer of an object is 0, the pointer of null. The object's guard keeps the object open. */
  public static void object(long pointer, String name) {
    if (pointer == 0) {
      throw new NullPointerException(name);
    }
  }

  public static void objects(long[] pointers, String name) {
    present(pointers, name);
    objectsIfAny(pointers, name);
  }

  public static void objectsIfAny(long[] pointers, String name) {
    if (pointers != null) {
      for (int i = 0; i < pointers.length; i++) {
        if (pointers[i] == 0) {
          throw new NullPointerException(name + "[" + i + "]");
        }
      }
    }
  }

  /** Throws if an object is null, or contains a rejected setting. */
  public static void settings(long pointer, String name) {
    object(pointer, name);
    Settings.require(pointer);
  }

  public static void settings(long[] pointers, String name) {
    objects(pointers, name);
    for (long pointer : pointers) {
      Settings.require(pointer);
    }
  }

  public static void range(long value, long least, long most, String name) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + ": " + value + ", but it must be " + new Interval(least, most));
    }
  }

  public static void range(double value, double least, double most, String name) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(name + ": " + value + ", but it must be from " + least + " to " + most);
    }
  }

  /** Adds settings to an object, as its option. */
  public static void merged(long object, String option, long settings, String name) {
    object(settings, name);
    Settings.merge(settings, option, object);
  }

  /**
   * Sets an option of an object that a program may create for each call. Values in the range need only this comparison,
   * if no object has recorded settings. Other values are checked with the tables.
   */
  public static void option(long object, String scope, String name, long least, long most, long value) {
    if (value < least || value > most || object != 0 && Settings.areNoted()) {
      option(object, scope, name, value);
    }
  }

  @CompiledApart
  public static void option(long object, String scope, String name, long value) {
    Settings.option(object, scope, name, Long.toString(value));
  }

  public static void option(long object, String scope, String name, boolean value) {
    Settings.option(object, scope, name, Boolean.toString(value));
  }

  public static void option(long object, String scope, String name, double value) {
    Settings.option(object, scope, name, Double.toString(value));
  }

  public static void option(long object, String scope, String name, int[] values) {
    present(values, name);
    Settings.option(object, scope, name, Arrays.stream(values).mapToObj(Integer::toString)
        .collect(Collectors.joining(":")));
  }

  /** Sets an option whose values are words, by index. The engine rejects an index that has no word. */
  public static void word(long object, String scope, String name, String words, long value) {
    String[] all = words.split(",");
    Settings.option(object, scope, name, all[value >= 0 && value < all.length ? (int) value : 0]);
  }

  public static void words(long object, String scope, String name, String words, byte[] values) {
    present(values, name);
    String[] all = words.split(",");
    StringJoiner text = new StringJoiner(":");
    for (byte value : values) {
      text.add(all[value >= 0 && value < all.length ? value : 0]);
    }
    Settings.option(object, scope, name, text.toString());
  }

  /** Throws unless the arrays have the same length. */
  public static void values(String[] names, String[] values, String name) {
    texts(values, name);
    if (names.length != values.length) {
      throw new IllegalArgumentException(name + ": " + values.length + " for " + names.length + " names");
    }
  }

  public static void offset(byte[] array, int offset, String name) {
    section(array, offset, 0, name);
  }

  public static void section(byte[] array, int offset, int length, String name) {
    if (array != null && ((offset | length) < 0 || length > array.length - offset)) {
      throw outside(offset, length, "an array of " + array.length, name);
    }
  }

  public static void section(String text, int offset, int length, String name) {
    if ((offset | length) < 0 || length > text.length() - offset) {
      throw outside(offset, length, "a text of " + text.length(), name);
    }
  }

  public static void section(Object[] array, int offset, int length, String name) {
    if ((offset | length) < 0 || length > array.length - offset) {
      throw outside(offset, length, "an array of " + array.length, name);
    }
  }

  public static void section(ByteBuffer buffer, int offset, int length, String name) {
    if ((offset | length) < 0 || length > buffer.capacity() - offset) {
      throw outside(offset, length, "a buffer of " + buffer.capacity(), name);
    }
  }

  /** Throws unless the range of bytes from the offset to the limit is in the buffer. */
  public static void limit(ByteBuffer buffer, int offset, int limit, String name) {
    section(buffer, offset, limit - offset, name);
  }

  public static void sections(byte[][] arrays, int[] offsets, int[] lengths, String name) {
    if (offsets.length != arrays.length || lengths.length != arrays.length) {
      throw new IllegalArgumentException(
          name + ": " + offsets.length + " offsets and " + lengths.length + " lengths for " + arrays.length
          + " arrays");
    }
    for (int i = 0; i < arrays.length; i++) {
      section(arrays[i], offsets[i], lengths[i], name);
    }
  }

  private static IndexOutOfBoundsException outside(int offset, int length, String where, String name) {
    return new ArrayIndexOutOfBoundsException(name + ": " + length + " from " + offset + " on, of " + where);
  }

  public static void arrays(Object[] arrays, String name) {
    present(arrays, name);
    arraysIfAny(arrays, name);
  }

  public static void arraysIfAny(Object[] arrays, String name) {
    if (arrays != null) {
      for (int i = 0; i < arrays.length; i++) {
        if (arrays[i] == null) {
          throw new NullPointerException(name + "[" + i + "]");
        }
      }
    }
  }

  public static void numbers(Object array, int fewest, String name) {
    present(array, name);
    if (Array.getLength(array) < fewest) {
      throw new IllegalArgumentException(name + ": " + Array.getLength(array) + " numbers, but there are " + fewest);
    }
  }

  /** Throws if a text is null or contains a NUL, because C strings end at a NUL. */
  public static void text(String text, String name) {
    present(text, name);
    textIfAny(text, name);
  }

  public static void textIfAny(String text, String name) {
    if (text != null && text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          name + ": '" + text.replace("\0", "\\0") + "' has a NUL character, where a text ends");
    }
  }

  public static void texts(String[] texts, String name) {
    arrays(texts, name);
    for (String text : texts) {
      textIfAny(text, name);
    }
  }

  public static void path(String path, String name) {
    text(path, name);
    if (path.isEmpty()) {
      throw new IllegalArgumentException(name + ": it is empty; \".\" is the working folder");
    }
  }

  /** Throws if a property name ends with a huge number, because the engine parses the level as an int. */
  public static void property(String property, String name) {
    text(property, name);
    int digits = property.length();
    while (digits > 0 && property.charAt(digits - 1) >= '0' && property.charAt(digits - 1) <= '9') {
      digits--;
    }
    if (property.length() - digits > 9) {
      throw new IllegalArgumentException(name + ": " + property + " names a level that there cannot be");
    }
  }
}
