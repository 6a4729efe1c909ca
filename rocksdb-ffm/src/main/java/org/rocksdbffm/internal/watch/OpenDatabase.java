/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * An open database as those see it who watch all of them. Once it is closed, questions fail with an
 * {@link IllegalStateException}. Thread-safe.
 */
public interface OpenDatabase {
  /** Its folder, which it says when it is closed as well. */
  String path();

  /** Its column families that are open, the default one among them. */
  List<? extends Family> families();

  /** How many values are pinned in it. */
  default long pinCount() {
    return 0;
  }

  /** How many bytes the pinned values have. */
  default long pinnedBytes() {
    return 0;
  }

  /** Counts and histograms of its statistics, in the order of {@link OpenStatistics#read}; empty if it counts nothing. */
  double[] statistics(int[] tickers, int[] histograms);

  /** Whether a call that announces the handle with this id uses it. Makes no call. */
  boolean isUsedBy(long handle);

  /** The name of its column family that a call uses which announces the handle with this id; null for none. */
  String familyUsedBy(long handle);

  /** A column family of it, and what the engine says of that. */
  interface Family {
    String name();

    /** The values of those of these properties that the engine knows at the moment, asked for within one call. */
    Map<String, String> properties(Collection<String> names);
  }
}
