/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.rocksdbffm.torture.dropin.steps.CallStep;
import org.rocksdbffm.torture.dropin.steps.Value;

/** The expected entries of the reference databases, by database and family. */
public final class ReferenceModel {
  public static final String PUT = "!put";
  /** The step that deletes the keys of a range, which may be empty or reversed. */
  public static final String RANGE = "!range";
  public static final List<String> DATABASES = List.of("a", "b");
  public static final List<String> FAMILIES = List.of("default", "fa", "fb");
  private static final int ROWS = 60;
  private static final int KEYS = 99;

  private final List<Map<String, String>> rows = new ArrayList<>();

  /** Creates a model with the initial entries. */
  public ReferenceModel() {
    for (int i = 0; i < DATABASES.size() * FAMILIES.size(); i++) {
      Map<String, String> family = new TreeMap<>();
      for (int row = 0; row < ROWS; row++) {
        family.put(key(row), "first " + i + " " + row);
      }
      rows.add(family);
    }
  }

  private static String key(int number) {
    return "k%02d".formatted(number);
  }

  /** Returns all keys that steps may write. */
  public static List<String> keys() {
    return IntStream.range(0, KEYS).mapToObj(ReferenceModel::key).toList();
  }

  static String randomKey(Random random) {
    return key(random.nextInt(KEYS));
  }

  public Map<String, String> rows(int database, int family) {
    return rows.get(database * FAMILIES.size() + family);
  }

  /** Applies a step that writes to a reference database. A null value deletes. */
  public void apply(CallStep step) {
    String key = text(step, 2);
    String value = text(step, 3);
    Map<String, String> family = rows(number(step, 0), number(step, 1));
    if (step.member().equals(RANGE)) {
      family.keySet().removeIf(each -> isWithin(step, each));
    } else if (value == null) {
      family.remove(key);
    } else {
      family.put(key, value);
    }
  }

  /** Whether a step changes a key. */
  public static boolean isWithin(CallStep step, String key) {
    return switch (step.member()) {
      case RANGE -> key.compareTo(text(step, 2)) >= 0 && key.compareTo(text(step, 3)) < 0;
      case PUT -> key.equals(text(step, 2));
      default -> false; // not a write of a single key
    };
  }

  static int number(CallStep step, int index) {
    return (int) ((Value.Whole) step.arguments().get(index)).number();
  }

  public static String text(CallStep step, int index) {
    return step.arguments().get(index) instanceof Value.Text text ? text.part() : null;
  }
}
