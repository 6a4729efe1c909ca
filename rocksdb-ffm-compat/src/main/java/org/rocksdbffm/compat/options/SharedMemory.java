/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.System.Logger.Level;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.settings.MemoryShare;
import org.rocksdbffm.internal.settings.NativeBudget;

/** The memory budget of all databases of this process. Its size is the system property {@value #PROPERTY}. */
final class SharedMemory {
  static final String PROPERTY = "org.rocksdbffm.compat.memory";

  private static NativeBudget budget;

  private SharedMemory() {}

  /** Returns a share for a database to be opened; null without the property. */
  static synchronized MemoryShare join() throws RocksDBException {
    String size = System.getProperty(PROPERTY);
    if (size == null) {
      return null;
    }
    if (budget == null) {
      budget = NativeBudget.of(PropertySize.of(PROPERTY, size, "8m", NativeBudget.LEAST));
      System.getLogger(Mode.LOGGER).log(
          Level.INFO,
          "-D" + PROPERTY + "=" + size
          + ": all databases share one block cache of three quarters and more, to which memtables are"
              + " charged. Caches and write buffer managers of the program are not used, and indexes and filters are "
              + "cached. The"
              + " rest is for what malloc keeps, batches, transactions, open tables, flushes and compactions, which "
              + "nobody counts.");
    }
    try {
      return budget.join(1);
    } catch (IllegalStateException e) {
      throw Errors.of("-D" + PROPERTY + "=" + size + ": " + e.getMessage());
    }
  }
}
