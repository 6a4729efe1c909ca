/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/**
 * The code that options have beside the engine's own: a comparator, a merge operator and a filter factory in Java, or in
 * the last one's place rules by which rows expire; each null for none.
 */
public record JavaHooks(
    Named<RawComparator> comparator, Named<RawMerge> merging, Named<RawFilter.Factory> filters, ExpiryRules expiry) {
  /** The options that they take the place of. */
  public static final String COMPARATOR = "comparator";

  public static final String MERGE_OPERATOR = "merge_operator";
  public static final String FILTER_FACTORY = "compaction_filter_factory";

  public static final JavaHooks NONE = new JavaHooks(null, null, null, null);

  /** Code, with what the engine is to call it; equal to itself alone. */
  public record Named<T>(String name, T code) {}

  public JavaHooks with(String name, RawComparator code) {
    return new JavaHooks(new Named<>(name, code), merging, filters, expiry);
  }

  public JavaHooks with(String name, RawMerge code) {
    return new JavaHooks(comparator, new Named<>(name, code), filters, expiry);
  }

  public JavaHooks with(String name, RawFilter.Factory code) {
    return new JavaHooks(comparator, merging, new Named<>(name, code), null);
  }

  public JavaHooks with(ExpiryRules rules) {
    return new JavaHooks(comparator, merging, null, rules);
  }

  /** Without what the option sets. */
  public JavaHooks without(String option) {
    return switch (option) {
      case COMPARATOR -> new JavaHooks(null, merging, filters, expiry);
      case MERGE_OPERATOR -> new JavaHooks(comparator, null, filters, expiry);
      case FILTER_FACTORY -> new JavaHooks(comparator, merging, null, null);
      default -> this;
    };
  }

  @Override
  public String toString() {
    return text(COMPARATOR, comparator) + text(MERGE_OPERATOR, merging) + text(FILTER_FACTORY, filters)
        + (expiry == null ? "" : "expiry=" + expiry + ";");
  }

  private static String text(String option, Named<?> named) {
    return named == null ? "" : option + "=" + named.name() + " in Java;";
  }
}
