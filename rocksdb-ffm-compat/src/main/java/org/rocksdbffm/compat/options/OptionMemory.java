/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values of options that the engine cannot return. Stored by the options' pointer, and copied and removed together with
 * the options.
 */
public final class OptionMemory {
  private static final ConcurrentHashMap<Long, Map<String, Object>> KEPT = new ConcurrentHashMap<>();

  private OptionMemory() {}

  public static void keep(long options, String what, Object value) {
    KEPT.computeIfAbsent(options, ignored -> new ConcurrentHashMap<>()).put(what, value);
  }

  public static Object kept(long options, String what, Object otherwise) {
    return KEPT.getOrDefault(options, Map.of()).getOrDefault(what, otherwise);
  }

  public static void copy(long from, long to) {
    KEPT.getOrDefault(from, Map.of()).forEach((what, value) -> keep(to, what, value));
  }

  public static void forget(long options) {
    KEPT.remove(options);
  }
}
