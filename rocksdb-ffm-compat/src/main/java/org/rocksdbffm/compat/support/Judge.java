/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.Map;
import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * Decides which values of options are passed on to the engine. Setters, texts, files of options and changes of an open
 * database ask it alike. It rejects what {@link Refusals} lists; what the core does not support is subject to the
 * {@link Mode}.
 */
final class Judge {
  private Judge() {}

  /** Whether the value is anything else than supported, or decides about the values of other options. */
  static boolean isNotable(String scope, String name, String value) {
    return Refusals.isNotable(scope, name, value) || !Unchecked.lets(name) && unsupported(scope, name, value) != null;
  }

  /** The reason to reject a value in an object that has the others; null if it is passed on, with a warning perhaps. */
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
      warn(name, unsupported);
      return null;
    }
    return Unchecked.isUsed(name, value) ? null : unsupported + Unchecked.hint(name);
  }

  private static void warn(String name, String unsupported) {
    if (unsupported != null) {
      Mode.warnOnce(
          name,
          unsupported
              + ". It is passed on, as rocksdbjni does, and this library does not support it; -D"
              + Mode.PROPERTY
              + "=strict rejects it");
    }
  }

  /** The reason why the core's table does not have a value; null if it does, or knows no such option. */
  private static String unsupported(String scope, String name, String value) {
    if (OptionTable.find(scope, name) == null && (!scope.equals(OptionTable.DATABASE) || OptionTable.find(name) == null)) {
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
