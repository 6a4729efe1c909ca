/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Option values to be checked. rocksdbjni's setters accept any value, and their getters return it. So a value is
 * recorded here by the pointer of the options, and checked when they are used, for example to open a database.
 * Thread-safe.
 */
public final class Settings {
  private static final ConcurrentHashMap<Long, Map<String, Note>> NOTES = new ConcurrentHashMap<>();

  private Settings() {}

  private record Note(String scope, String value) {}

  /** Whether any object has a recorded value. */
  static boolean areNoted() {
    return !NOTES.isEmpty();
  }

  /** Throws if an object has a rejected value. */
  static void require(long object) {
    Map<String, Note> notes = NOTES.isEmpty() ? null : NOTES.get(object);
    if (notes == null) {
      return;
    }
    Map<String, String> values = new HashMap<>();
    notes.forEach((name, note) -> values.put(name, note.value));
    StringJoiner refusals = new StringJoiner("; ");
    notes.forEach((name, note) -> {
      String refusal = Judge.refusal(note.scope, name, note.value, values);
      if (refusal != null) {
        refusals.add(refusal);
      }
    });
    if (refusals.length() > 0) {
      throw new IllegalArgumentException(refusals.toString());
    }
  }

  /** Records a new value of an object's option; without an object, checks it immediately. */
  public static void option(long object, String scope, String name, String value) {
    if (object == 0) {
      requireNow(scope, name, value, Map.of());
    } else if (Judge.isNotable(scope, name, value)) {
      note(object, name, new Note(scope, value));
    } else if (!NOTES.isEmpty()) {
      forget(object, name::equals);
    }
  }

  /** Throws if a value is rejected, given the object's other values. */
  public static void requireNow(String scope, String name, String value, Map<String, String> others) {
    String refusal = Judge.refusal(scope, name, value, others);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
  }

  /** Records options parsed from text, including options nested in a value. */
  public static void text(long object, String scope, Map<String, String> options) {
    options.forEach((name, value) -> {
      option(object, scope, name, value);
      parts(scope, name, value, (partScope, part, text) -> {
        if (Refusals.isNotable(partScope, part, text)) { // the core's table checks the whole value
          option(object, partScope, part, text);
        }
      });
    });
  }

  /** Receives a part of a value. */
  public interface Part {
    void take(String scope, String name, String value);
  }

  /**
   * Passes the parts of a value in braces to a consumer, with their full names, or in the scope of the object that they
   * create.
   */
  public static void parts(String scope, String name, String value, Part taker) {
    if (!value.startsWith("{")) {
      return;
    }
    try {
      Map<String, String> parts = OptionText.parse(OptionText.withoutBraces(value));
      String object = parts.get("id");
      String partScope = object == null ? scope : object;
      parts.forEach((part, text) -> {
        String whole = object == null ? name + "." + part : part;
        taker.take(partScope, whole, text);
        parts(partScope, whole, text, taker);
      });
    } catch (IllegalArgumentException e) {
      return; // the engine rejects braces that do not match
    }
  }

  private static void note(long object, String name, Note note) {
    NOTES.compute(object, (ignored, before) -> {
      Map<String, Note> notes = before == null ? new TreeMap<>() : new TreeMap<>(before);
      notes.put(name, note);
      return notes;
    });
  }

  private static void forget(long object, Predicate<String> names) {
    if (!NOTES.isEmpty()) {
      NOTES.computeIfPresent(object, (ignored, before) -> {
        Map<String, Note> notes = new TreeMap<>(before);
        notes.keySet().removeIf(names);
        return notes.isEmpty() ? null : notes;
      });
    }
  }

  /** Copies the recorded values of an object to another. */
  public static void copy(long from, long to) {
    if (!NOTES.isEmpty()) {
      NOTES.getOrDefault(from, Map.of()).forEach((name, note) -> note(to, name, note));
    }
  }

  /** Replaces an option's recorded values in an object by the values of a settings object. */
  static void merge(long from, String option, long to) {
    if (!NOTES.isEmpty()) {
      forget(to, name -> name.startsWith(option + "."));
      NOTES.getOrDefault(from, Map.of())
          .forEach((name, note) -> note(to, option + name.substring(name.indexOf('.')), note));
    }
  }

  /** Removes the values of a destroyed object, because another object may get its address. */
  public static void forget(long object) {
    if (!NOTES.isEmpty()) {
      NOTES.remove(object);
    }
  }
}
