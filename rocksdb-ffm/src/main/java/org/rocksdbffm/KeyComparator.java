/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Orders keys; given to {@link FamilyOptions#keyOrder(String, KeyComparator)}.
 *
 * <p>Most orders need none: a {@link KeyCodec} writes numbers, texts, times and tuples of these so that the engine's own
 * order is theirs, which is faster and cannot go wrong.
 *
 * <p>The order has to be total and always the same, and keys that are equal in it must be the same bytes: filters and
 * caches look at bytes. An order that is not gives wrong answers, as in C++: it finds some keys and misses others. Some answers
 * are checked by asking for more, and one that contradicts others stops the database; most contradictions are never found.
 * A file that was written in another order of the same name, or is ingested, may keep the database from being opened: an
 * order that changes needs another name.
 *
 * <p>It is called by any thread, by several at once, and by threads of the engine; often a million times a second, and
 * while the engine waits. So it should neither allocate nor block, and it must not use the database that it serves,
 * which throws an {@link IllegalStateException}.
 *
 * <p>Anything that it throws stops the database, because an order cannot be guessed: the operation in which it was
 * thrown and all later ones fail with an {@link IllegalStateException} that has it as its cause, and what the engine
 * was writing is thrown away. Closed and opened again, the database has everything that was logged.
 */
@FunctionalInterface
public interface KeyComparator {
  /**
   * Compares two keys.
   *
   * @param a a key, <em>borrowed until</em> this method returns
   * @param b another, likewise
   * @return negative if {@code a} comes first, positive if {@code b} does, zero if they are the same
   */
  int compare(ByteView a, ByteView b);
}
