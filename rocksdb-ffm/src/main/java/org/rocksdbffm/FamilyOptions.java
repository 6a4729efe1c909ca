/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.callback.JavaHooks;

/** The options of a column family that say what becomes of its rows in compactions. */
abstract sealed class FamilyOptions extends ServiceOptions permits Options {
  final JavaHooks callbacks;

  FamilyOptions(JavaHooks callbacks, ServiceSettings service) {
    super(service);
    this.callbacks = callbacks;
  }

  /** These options with other code, which takes the place of an option. */
  abstract Options with(JavaHooks changed, String replaced);

  /**
   * Sets code in Java that decides what compactions keep. It takes the place of an {@link #expiry}.
   *
   * @param name what the database's files call it
   * @param factory makes a filter for each compaction; the database <em>shares</em> it until it is closed
   * @return the changed options
   */
  public Options compactionFilter(String name, CompactionFilter.Factory factory) {
    return with(callbacks.with(Views.name(name), Views.filters(factory)), JavaHooks.FILTER_FACTORY);
  }

  /**
   * Has compactions delete rows by their age, in native code. It takes the place of a filter in Java. Nothing of it is in the
   * database's files but that there is one, so it is given at each opening.
   *
   * @param expiry says when rows expire
   * @return the changed options
   */
  public Options expiry(Expiry expiry) {
    return with(callbacks.with(requireNonNull(expiry, "expiry").rules()), JavaHooks.FILTER_FACTORY);
  }
}
