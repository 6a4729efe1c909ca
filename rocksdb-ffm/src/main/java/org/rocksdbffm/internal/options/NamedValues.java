/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Options as the user set them, in the order in which they were first set. Immutable.
 *
 * @param values the values by name
 * @param unchecked the names of options that are not checked against the option table
 */
public record NamedValues(Map<String, String> values, Set<String> unchecked) {
  /** No options. */
  public static final NamedValues NONE = new NamedValues(Map.of(), Set.of());

  /**
   * Returns a copy with another option.
   *
   * @param pastTheTable whether its value is not checked
   */
  public NamedValues with(String name, Object value, boolean pastTheTable) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(requireNonNull(name, "name"), requireNonNull(value, "value").toString());
    if (pastTheTable == unchecked.contains(name)) {
      return new NamedValues(changed, unchecked);
    }
    Set<String> others = new HashSet<>(unchecked);
    if (pastTheTable) {
      others.add(name);
    } else {
      others.remove(name);
    }
    return new NamedValues(changed, others);
  }

  /** Returns the union with options that have no name in common with these. */
  public NamedValues and(NamedValues others) {
    Map<String, String> all = new LinkedHashMap<>(values);
    all.putAll(others.values);
    Set<String> allUnchecked = new HashSet<>(unchecked);
    allUnchecked.addAll(others.unchecked);
    return new NamedValues(all, allUnchecked);
  }

  /** Returns a copy without an option. */
  public NamedValues without(String name) {
    if (!values.containsKey(name)) {
      return this;
    }
    Map<String, String> others = new LinkedHashMap<>(values);
    others.remove(name);
    Set<String> othersUnchecked = new HashSet<>(unchecked);
    othersUnchecked.remove(name);
    return new NamedValues(others, othersUnchecked);
  }

  /** Returns an options string. */
  @Override
  public String toString() {
    return OptionText.format(values);
  }
}
