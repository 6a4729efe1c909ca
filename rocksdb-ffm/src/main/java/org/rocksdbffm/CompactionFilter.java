/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.callback.RawFilter;

/**
 * Decides which rows a compaction keeps; set by {@link FamilyOptions#compactionFilter(String, Factory)}. It sees the
 * newest version of each key, in key order, and no deleted or unmerged rows.
 *
 * <p>A filter is called by one engine thread. It must not use its database, which throws an {@link
 * IllegalStateException}. Exceptions are logged once, and the row is kept.
 *
 * <p>Snapshots do not preserve rows that a filter removes or changes. Never delete a key by {@link
 * KeyWriter#singleDelete} if a filter may remove it: compactions fail if the two meet, and the engine refuses writes
 * from then on.
 *
 * <p>To delete rows by age, {@link Expiry} needs no call to Java.
 */
@FunctionalInterface
public interface CompactionFilter {
  /** The decision about a row. */
  final class Decision {
    /** Keeps the row. */
    public static final Decision KEEP = new Decision(RawFilter.KEEP);

    /** Removes the row. */
    public static final Decision REMOVE = new Decision(RawFilter.REMOVE);

    private final byte[] answer;

    private Decision(byte[] answer) {
      this.answer = answer;
    }

    /**
     * Keeps the row with another value.
     *
     * @param value the new value, which is copied when the filter returns the decision
     * @return the decision
     */
    public static Decision change(byte[] value) {
      return new Decision(requireNonNull(value, "value"));
    }

    byte[] answer() {
      return answer;
    }
  }

  /**
   * Describes the compaction that a filter is created for.
   *
   * @param full whether it includes all files of the column family
   * @param manual whether it is a manual compaction
   */
  record Compaction(boolean full, boolean manual) {}

  /** Creates the filter of each compaction; called by any engine thread, and concurrently. */
  @FunctionalInterface
  interface Factory {
    /**
     * Creates a filter. An exception is logged, and the compaction has no filter.
     *
     * @param compaction describes the compaction
     * @return a filter for this compaction only; null for none
     */
    CompactionFilter create(Compaction compaction);
  }

  /**
   * Decides about a row. The views are <em>borrowed until</em> this method returns.
   *
   * @param level the level of the compaction
   * @param key the key
   * @param value its value
   * @return the decision
   */
  Decision filter(int level, ByteView key, ByteView value);
}
