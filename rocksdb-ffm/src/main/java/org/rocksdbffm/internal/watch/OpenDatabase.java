/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * An open database, as monitoring sees it. After its close, all methods but {@link #path} throw {@link
 * IllegalStateException}. Thread-safe.
 */
public interface OpenDatabase {
  /** Returns the folder; also after the close. */
  String path();

  /** Returns the open column families, including the default one. */
  List<? extends Family> families();

  /** Returns the number of pinned values. */
  default long pinCount() {
    return 0;
  }

  /** Returns the size of the pinned values in bytes. */
  default long pinnedBytes() {
    return 0;
  }

  /** Returns tickers and histograms in the order of {@link OpenStatistics#read}; empty if statistics are off. */
  double[] statistics(int[] tickers, int[] histograms);

  /** Whether a call with this handle id uses the database. Makes no call. */
  boolean isUsedBy(long handle);

  /** Returns the name of the column family with this handle id; null if it is not of this database. */
  String familyUsedBy(long handle);

  /** An open column family, with its properties. */
  interface Family {
    String name();

    /** Returns the values of the named properties that the engine can answer now, read within one call. */
    Map<String, String> properties(Collection<String> names);
  }
}
