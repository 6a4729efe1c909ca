/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.EnumMap;
import java.util.Map;

/** Options in a map, without entries for options that are not set; equal by value. */
abstract class Settings {
  private final Map<?, ?> values;

  Settings(Map<?, ?> values) {
    this.values = values;
  }

  /** Returns a copy of the settings with one value changed. */
  static <S extends Enum<S>> Map<S, Long> changed(Map<S, Long> settings, S setting, long value) {
    Map<S, Long> changed = new EnumMap<>(setting.getDeclaringClass());
    changed.putAll(settings);
    changed.put(setting, value);
    return changed;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings that && getClass() == that.getClass() && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + values;
  }
}
