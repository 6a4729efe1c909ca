/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * The parts of an option that is a structure; parts that are not set have RocksDB's default. Immutable.
 *
 * @param scope the scope of the parts in the option table
 * @param values the values by RocksDB's names
 */
public record PartValues(String scope, Map<String, String> values) {
  /** Returns a structure with no part set. */
  public static PartValues defaults(String scope) {
    return new PartValues(scope, Map.of());
  }

  /** Returns a copy with another part; throws if the value is not supported. */
  public PartValues with(String name, Object value) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(name, OptionTable.check(scope, name, value.toString()));
    return new PartValues(scope, changed);
  }

  /** Returns the number of a part, or its default. */
  public long number(String name) {
    String value = values.get(name);
    return Long.parseLong(value == null ? OptionTable.find(scope, name).defaultValue() : value);
  }

  /** Returns the structure in RocksDB's notation, including defaults, so that it fully replaces an earlier value. */
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
