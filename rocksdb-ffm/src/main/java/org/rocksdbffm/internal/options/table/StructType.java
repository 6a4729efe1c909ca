/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The type of a structure: parts in braces. Compression options also have an old form: values in a fixed order,
 * separated by colons.
 */
public final class StructType extends OptionType {
  private static final String COMPRESSION = "compression";
  private static final List<String> IN_ORDER =
      List.of(
          "window_bits",
          "level",
          "strategy",
          "max_dict_bytes",
          "zstd_max_train_bytes",
          "parallel_threads",
          "enabled",
          "max_dict_buffer_bytes",
          "use_zstd_dict_trainer");
  private static final int LEAST_IN_ORDER = 3;
  private static final int PARALLEL_THREADS = 5;

  private final String scope;

  StructType(String scope, String supported) {
    super(supported);
    this.scope = scope;
  }

  @Override
  String parts() {
    return scope;
  }

  /** Writes and checks each part: support is decided for each part. */
  @Override
  String write(String value) {
    Map<String, String> parts =
        scope.equals(COMPRESSION) && value.indexOf('=') < 0 ? inOrder(value) : OptionText.parse(OptionText.withoutBraces(value));
    return "{" + OptionText.format(written(scope, parts)) + "}";
  }

  /** Returns the parts in RocksDB's notation. */
  static Map<String, String> written(String scope, Map<String, String> parts) {
    Map<String, String> written = new LinkedHashMap<>();
    parts.forEach((name, value) -> {
      OptionRow row = OptionTable.find(scope, name);
      if (row == null || name.indexOf('.') >= 0) {
        throw new Mismatch(": it has no part '" + name + "'" + NearestName.advice(name, OptionTable.names(scope)));
      }
      try {
        written.put(name, row.check(value));
      } catch (IllegalArgumentException e) {
        throw new Mismatch(": " + e.getMessage(), e instanceof UnsupportedValueException);
      }
    });
    return written;
  }

  /** Returns an LRU cache in RocksDB's notation; the value is its capacity, or parts in braces. */
  static String writtenCache(String value) {
    String cache = OptionText.withoutBraces(value).strip();
    if (cache.equals(ObjectType.NOTHING)) {
      return cache;
    }
    String parts = cache.indexOf('=') < 0 ? "capacity=" + cache : cache;
    return "{" + OptionText.format(written("cache", OptionText.parse(parts))) + "}";
  }

  private Map<String, String> inOrder(String value) {
    String[] values = value.split(":", -1);
    if (values.length < LEAST_IN_ORDER || values.length > IN_ORDER.size()) {
      throw new Mismatch(": '" + value + "' is neither {part=value;...} nor values with colons between");
    }
    Map<String, String> parts = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      boolean last = i == PARALLEL_THREADS && i == values.length - 1; // as the last value, it is the next part
      parts.put(IN_ORDER.get(last ? i + 1 : i), values[i].strip());
    }
    return parts;
  }

  @Override
  String supported() {
    return "{part=value;...}";
  }
}
