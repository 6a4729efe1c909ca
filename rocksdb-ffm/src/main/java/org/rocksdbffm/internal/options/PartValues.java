/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * The parts of an option that is a structure, each of them with the engine's default unless it is set. Immutable.
 *
 * @param scope of the parts in the table of options
 * @param values by the engine's names
 */
public record PartValues(String scope, Map<String, String> values) {
  /** None is set. */
  public static PartValues defaults(String scope) {
    return new PartValues(scope, Map.of());
  }

  /** These with another; fails if it is not supported. */
  public PartValues with(String name, Object value) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(name, OptionTable.check(scope, name, value.toString()));
    return new PartValues(scope, changed);
  }

  /** The whole number that a part is, by default as well. */
  public long number(String name) {
    String value = values.get(name);
    return Long.parseLong(value == null ? OptionTable.find(scope, name).defaultValue() : value);
  }

  /** The structure in the engine's notation, with all parts that have a default: so nothing of another one stays. */
  public String text() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String name : OptionTable.names(scope)) {
      String byDefault = OptionTable.find(scope, name).defaultValue();
      if (byDefault != null && !byDefault.isEmpty()) {
        all.put(name, byDefault);
      }
    }
    all.putAll(values);
    return "{" + OptionText.format(all) + "}";
  }

  @Override
  public String toString() {
    return OptionText.format(values);
  }
}
