/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

/** What options have of code in Java; null for nothing of a kind. */
public record Callbacks(Named<KeyComparing> comparator, Named<Merging> merging, Named<Filtering.Factory> filters) {
  /** The options that they take the place of. */
  public static final String COMPARATOR = "comparator";

  public static final String MERGE_OPERATOR = "merge_operator";
  public static final String FILTER_FACTORY = "compaction_filter_factory";

  public static final Callbacks NONE = new Callbacks(null, null, null);

  /** Code, with what the engine is to call it; equal to itself alone. */
  public record Named<T>(String name, T code) {}

  public Callbacks with(String name, KeyComparing code) {
    return new Callbacks(new Named<>(name, code), merging, filters);
  }

  public Callbacks with(String name, Merging code) {
    return new Callbacks(comparator, new Named<>(name, code), filters);
  }

  public Callbacks with(String name, Filtering.Factory code) {
    return new Callbacks(comparator, merging, new Named<>(name, code));
  }

  /** Without what the option sets. */
  public Callbacks without(String option) {
    return switch (option) {
      case COMPARATOR -> new Callbacks(null, merging, filters);
      case MERGE_OPERATOR -> new Callbacks(comparator, null, filters);
      case FILTER_FACTORY -> new Callbacks(comparator, merging, null);
      default -> this;
    };
  }

  @Override
  public String toString() {
    return text(COMPARATOR, comparator) + text(MERGE_OPERATOR, merging) + text(FILTER_FACTORY, filters);
  }

  private static String text(String option, Named<?> named) {
    return named == null ? "" : option + "=" + named.name() + " in Java;";
  }
}
