/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.Map;
import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * Decides which option values reach the engine, for setters, option strings, OPTIONS files and changes of an open
 * database. Rejects the values that {@link Refusals} lists. For values that the core does not support, the {@link Mode}
 * decides.
 */
final class Judge {
  private Judge() {}

  /** Whether a value is not supported, or affects the check of other options. */
  static boolean isNotable(String scope, String name, String value) {
    return Refusals.isNotable(scope, name, value) || !Unchecked.lets(name) && unsupported(scope, name, value) != null;
  }

  /**
   * Returns the reason to reject a value, given the object's other values; null if accepted, possibly with a warning.
   */
  static String refusal(String scope, String name, String value, Map<String, String> others) {
    if (Unchecked.lets(name)) {
      return null;
    }
    String fatal = Refusals.reason(scope, name, value, others);
    if (fatal != null) {
      return fatal + Unchecked.hint(name);
    }
    String unsupported = unsupported(scope, name, value);
    if (unsupported == null || !Mode.isStrict()) {
      warn(name, value, unsupported);
      return null;
    }
    return Unchecked.isUsed(name, value) ? null : unsupported + Unchecked.hint(name);
  }

  private static void warn(String name, String value, String unsupported) {
    if (unsupported != null) {
      Mode.warnOnce(
          name,
          unsupported
              + ". It is passed on, as rocksdbjni does, and this library does not support it"
              + (Unchecked.isUsed(name, value) ? "" : "; -D" + Mode.PROPERTY + "=strict rejects it"));
    }
  }

  /** Returns why the core's table rejects a value; null if it accepts the value, or has no such option. */
  private static String unsupported(String scope, String name, String value) {
    if (OptionTable.find(scope, name) == null
        && (!scope.equals(OptionTable.DATABASE) || OptionTable.find(name) == null)) {
      return null;
    }
    try {
      OptionTable.check(scope, name, value);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }
}
