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

  /** These options with another, by the engine's own name. */
  abstract Options option(String name, Object value);

  /** These options with another style of compaction. */
  abstract Options compactionStyle(CompactionStyle style);

  /**
   * Has files compacted by sorted runs, {@link CompactionStyle#UNIVERSAL}.
   *
   * @param compaction how
   * @return the changed options
   */
  public Options universal(UniversalCompaction compaction) {
    String parts = requireNonNull(compaction, "compaction").text();
    return compactionStyle(CompactionStyle.UNIVERSAL).option("compaction_options_universal", parts);
  }

  /**
   * Has the oldest files deleted with all their rows, {@link CompactionStyle#FIFO}. It is refused for a column family that
   * was written with another style, unless {@link Options#replaceStored} says so.
   *
   * @param compaction when
   * @return the changed options
   */
  public Options fifo(FifoCompaction compaction) {
    String parts = requireNonNull(compaction, "compaction").text();
    return compactionStyle(CompactionStyle.FIFO).option("compaction_options_fifo", parts);
  }

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
