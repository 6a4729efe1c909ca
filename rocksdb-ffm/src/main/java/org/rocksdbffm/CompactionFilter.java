/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.callback.RawFilter;

/**
 * Decides what a compaction keeps; given to {@link FamilyOptions#compactionFilter(String, Factory)}. It sees keys that are
 * the newest of their kind, in their order, and none that was deleted or is still to be merged.
 *
 * <p>A filter serves one thread, of the engine's. It must not use the database that it serves, which throws an {@link
 * IllegalStateException}. Anything that it throws is logged once, and the key is kept.
 *
 * <p>A snapshot does not keep what a filter removes or changes. A key that a filter removes must never be deleted by {@link
 * KeyWriter#singleDelete}: the engine's compactions fail where the two meet, and it refuses writes from then on.
 *
 * <p>To delete rows by their age, an {@link Expiry} does it without a call to Java.
 */
@FunctionalInterface
public interface CompactionFilter {
  /** A filter's decision about a key and its value. */
  final class Decision {
    /** The key stays as it is. */
    public static final Decision KEEP = new Decision(RawFilter.KEEP);

    /** The key goes. */
    public static final Decision REMOVE = new Decision(RawFilter.REMOVE);

    private final byte[] answer;

    private Decision(byte[] answer) {
      this.answer = answer;
    }

    /**
     * The key stays, with another value.
     *
     * @param value the new value, which is copied when the decision is returned
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
   * The compaction that a filter is made for.
   *
   * @param full whether it is all of the column family
   * @param manual whether somebody asked for it
   */
  record Compaction(boolean full, boolean manual) {}

  /** Makes the filter of a compaction; called by any thread of the engine's, and by several at once. */
  @FunctionalInterface
  interface Factory {
    /**
     * Makes a filter. Anything that it throws is logged, and the compaction has no filter.
     *
     * @param compaction what is compacted
     * @return a filter for it alone; null for none
     */
    CompactionFilter create(Compaction compaction);
  }

  /**
   * Decides about a key. The views are <em>borrowed until</em> this method returns.
   *
   * @param level of the compaction
   * @param key the key
   * @param value its value
   * @return what becomes of it
   */
  Decision filter(int level, ByteView key, ByteView value);
}
