/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * The values in options that cannot be worked with. Upstream's options are beans: any number can be set in them, and be
 * read again. So such a value is remembered here, by the pointer of the options, and they are refused where they are
 * used, as when a database is opened with them. Thread-safe.
 */
public final class Settings {
  private static final ConcurrentHashMap<Long, Map<String, String>> REFUSED = new ConcurrentHashMap<>();

  private Settings() {}

  /** Throws if something is set in an object that cannot be worked with. */
  static void require(long object) {
    if (!REFUSED.isEmpty()) {
      Map<String, String> refused = REFUSED.get(object);
      if (refused != null) {
        throw new IllegalArgumentException(String.join("; ", refused.values()));
      }
    }
  }

  public static void refuse(long object, String name, String reason) {
    REFUSED.compute(object, (its, before) -> {
      Map<String, String> refused = before == null ? new TreeMap<>() : new TreeMap<>(before);
      refused.put(name, reason);
      return refused;
    });
  }

  /** The name has a value again that can be worked with. */
  public static void accept(long object, String name) {
    if (!REFUSED.isEmpty()) {
      REFUSED.computeIfPresent(object, (its, before) -> {
        Map<String, String> refused = new TreeMap<>(before);
        refused.remove(name);
        return refused.isEmpty() ? null : refused;
      });
    }
  }

  /** An object has got what is set in another. */
  public static void copy(long from, long to) {
    if (!REFUSED.isEmpty()) {
      REFUSED.getOrDefault(from, Map.of()).forEach((name, reason) -> refuse(to, name, reason));
    }
  }

  /** The object is destroyed, and another may lie in its place. */
  public static void forget(long object) {
    if (!REFUSED.isEmpty()) {
      REFUSED.remove(object);
    }
  }

  /** An option of the engine's has got a value; without an object, it is about to be used. */
  public static void option(long object, String scope, String name, String value) {
    String reason = Unchecked.lets(name, value) ? null : refusal(scope, name, value);
    if (object == 0 && reason != null) {
      throw new IllegalArgumentException(reason);
    }
    if (reason == null) {
      accept(object, name);
    } else {
      refuse(object, name, reason);
    }
  }

  /** Why the core's table does not have a value; null if it does. */
  private static String refusal(String scope, String name, String value) {
    try {
      OptionTable.check(scope, name, value);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage() + Unchecked.hint(name);
    }
  }
}
