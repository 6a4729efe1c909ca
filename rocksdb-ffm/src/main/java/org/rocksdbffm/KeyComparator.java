/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Compares keys; set by {@link FamilyOptions#keyOrder(String, KeyComparator)}.
 *
 * <p>Most orders need no comparator: {@link KeyCodec} encodes numbers, texts, times and tuples so that the engine's
 * default order is their order, which is faster and always consistent.
 *
 * <p>The order must be total and never change, and keys that compare as equal must have the same bytes, because filters
 * and caches use the bytes. Otherwise reads return wrong results, as in C++: some keys are found and others missed.
 * Some answers are checked by further calls, and a detected contradiction stops the database; most contradictions are
 * never detected. A file that was written or ingested with another order of the same name may prevent the database from
 * being opened: a changed order needs another name.
 *
 * <p>It is called concurrently by any threads, including the engine's, often a million times a second, and the engine
 * waits for it. So it should neither allocate nor block, and must not use its database, which throws an
 * {@link IllegalStateException}.
 *
 * <p>An exception stops the database, because the order of the keys is then unknown: the current operation and all
 * later ones fail with an {@link IllegalStateException} whose cause is the exception, and the engine discards its
 * current output. After closing and opening it again, the database has everything that was in the WAL.
 */
@FunctionalInterface
public interface KeyComparator {
  /**
   * Compares two keys.
   *
   * @param a a key, <em>borrowed until</em> this method returns
   * @param b another key, <em>borrowed until</em> this method returns
   * @return negative if {@code a} comes first, positive if {@code b} comes first, zero if they are equal
   */
  int compare(ByteView a, ByteView b);
}
