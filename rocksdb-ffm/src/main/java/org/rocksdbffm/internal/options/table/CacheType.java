/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

/** The type of an LRU cache: its capacity alone, or parts in braces. */
final class CacheType extends OptionType {
  private static final String SCOPE = "cache";
  private static final String CAPACITY = "capacity";

  CacheType(String supported) {
    super(supported);
  }

  @Override
  String write(String value) {
    String cache = OptionText.withoutBraces(value).strip();
    if (cache.equals(ObjectType.NOTHING)) {
      return cache;
    }
    String parts = cache.indexOf('=') < 0 ? CAPACITY + "=" + cache : cache;
    return "{" + OptionText.format(StructType.written(SCOPE, OptionText.parse(parts))) + "}";
  }

  @Override
  boolean isAmongSupported(String written) {
    return true;
  }

  @Override
  String supported() {
    return "a capacity, or {capacity=...;...}";
  }
}
