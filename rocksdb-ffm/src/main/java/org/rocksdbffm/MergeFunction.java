/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.List;

/**
 * Merges values; given to {@link FamilyOptions#mergeOperator(String, MergeFunction)}.
 *
 * <p>It is called by any thread, by several at once, and by threads of the engine, while the engine waits: when a key
 * is read, and when files are compacted. It must not use the database that it serves, which throws an {@link
 * IllegalStateException}.
 *
 * <p>Anything that it throws is logged, and taken for a null. The read then fails with a {@link RocksDbException} that
 * says that the value is damaged, and has what was thrown as its cause. A compaction fails likewise, and the engine
 * refuses writes from then on, until the database is opened again: the values that could not be merged are still there.
 */
@FunctionalInterface
public interface MergeFunction {
  /**
   * Merges operands into a value. All views are <em>borrowed until</em> this method returns.
   *
   * @param key the key
   * @param value what the key has; null if it has none
   * @param operands what was merged since, the oldest first; the list is as short-lived as the views
   * @return the new value, which is copied; null if these cannot be merged
   */
  byte[] merge(ByteView key, ByteView value, List<ByteView> operands);

  /**
   * Makes one operand of several, for keys that are merged often and read seldom. All views are <em>borrowed
   * until</em> this method returns.
   *
   * @param key the key
   * @param operands the oldest first; the list is as short-lived as the views
   * @return an operand that stands for all of them, which is copied; null if there is none, as unless overridden
   */
  default byte[] combine(ByteView key, List<ByteView> operands) {
    return null;
  }
}
