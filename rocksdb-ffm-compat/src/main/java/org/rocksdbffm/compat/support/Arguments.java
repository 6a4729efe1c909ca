/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Refuses what a native method cannot be given, as the table of arguments says of each. The relinker puts the calls in
 * front of what the methods do. Every message names the parameter.
 */
public final class Arguments {
  private Arguments() {}

  public static void present(Object value, String name) {
    if (value == null) {
      throw new NullPointerException(name);
    }
  }

  /** The pointer of an object, which its guard keeps alive. */
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

  /** An object in which nothing is set that cannot be worked with. */
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

  /** Settings that become an option of an object. */
  public static void merged(long object, String option, long settings, String name) {
    object(settings, name);
    Settings.merge(settings, option, object);
  }

  /**
   * An option of objects that a program may make for each call: values in the range are accepted by this comparison, if
   * no other value of any object is noted. Others are judged by the tables.
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
    Settings.option(object, scope, name, Arrays.stream(values).mapToObj(Integer::toString).collect(Collectors.joining(":")));
  }

  /** An option whose values are words, by their numbers; a number without a word is the engine's to reject. */
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

  /** Names and values that belong together. */
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

  /** Where the bytes end in a buffer that begin at the offset. */
  public static void limit(ByteBuffer buffer, int offset, int limit, String name) {
    section(buffer, offset, limit - offset, name);
  }

  public static void sections(byte[][] arrays, int[] offsets, int[] lengths, String name) {
    if (offsets.length != arrays.length || lengths.length != arrays.length) {
      throw new IllegalArgumentException(
          name + ": " + offsets.length + " offsets and " + lengths.length + " lengths for " + arrays.length + " arrays");
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

  /** C has its texts end with a NUL. */
  public static void text(String text, String name) {
    present(text, name);
    textIfAny(text, name);
  }

  public static void textIfAny(String text, String name) {
    if (text != null && text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(name + ": there is a NUL in it");
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
      throw new IllegalArgumentException(name + ": it is empty");
    }
  }

  /** The name of a property may end with the number of a level, which the engine takes for an int. */
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
