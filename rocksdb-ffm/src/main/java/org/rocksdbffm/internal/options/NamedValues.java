/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Options that somebody has set, as they were given, in the order in which they were first set. Immutable.
 *
 * @param values the values by name
 * @param unchecked the names of those that go past the table
 */
public record NamedValues(Map<String, String> values, Set<String> unchecked) {
  /** None. */
  public static final NamedValues NONE = new NamedValues(Map.of(), Set.of());

  /**
   * These with another.
   *
   * @param pastTheTable whether it is used without being checked
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

  /** These with others, of which none has a name of these. */
  public NamedValues and(NamedValues others) {
    Map<String, String> all = new LinkedHashMap<>(values);
    all.putAll(others.values);
    Set<String> allUnchecked = new HashSet<>(unchecked);
    allUnchecked.addAll(others.unchecked);
    return new NamedValues(all, allUnchecked);
  }

  /** These but one. */
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

  /** As a text of options. */
  @Override
  public String toString() {
    return OptionText.format(values);
  }
}
