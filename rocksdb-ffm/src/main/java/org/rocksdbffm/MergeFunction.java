/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.List;

/**
 * A merge operator; set by {@link FamilyOptions#mergeOperator(String, MergeFunction)}.
 *
 * <p>It is called concurrently by any threads, including the engine's, when a key is read and when files are compacted;
 * the engine waits for it. It must not use its database, which throws an {@link IllegalStateException}.
 *
 * <p>An exception is logged, and treated as null. The read then fails with a {@link RocksDbException} that reports
 * corruption, and has the exception as its cause. A compaction fails too, and the engine refuses writes until the
 * database is opened again; the unmerged values are preserved.
 */
@FunctionalInterface
public interface MergeFunction {
  /**
   * Merges operands into a value. All views are <em>borrowed until</em> this method returns.
   *
   * @param key the key
   * @param value the value of the key; null if it is missing
   * @param operands the operands merged since, the oldest first; the list is valid as long as the views
   * @return the new value, which is copied; null if the operands cannot be merged
   */
  byte[] merge(ByteView key, ByteView value, List<ByteView> operands);

  /**
   * Combines several operands into one, for keys that are merged often and read rarely. All views are <em>borrowed
   * until</em> this method returns.
   *
   * @param key the key
   * @param operands the oldest first; the list is valid as long as the views
   * @return an operand equivalent to all of them, which is copied; null, the default, if they cannot be combined
   */
  default byte[] combine(ByteView key, List<ByteView> operands) {
    return null;
  }
}
