/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Java comparators. RocksDB relies on an order that never changes, and can crash without one. So answers are checked by
 * sampling, the engine's sorts get consistent answers, and a database whose order is lost is stopped. Without a Java
 * comparator, no code of this package runs.
 *
 * <p>The engine calls a {@code NativeComparator}. {@code CheckedComparator} calls the user's comparator, and checks it
 * with {@code KeySample}s; {@code FileBounds} checks the bounds of files. {@code AnswerCache} and {@code KeyPositions}
 * repeat earlier answers to the engine's threads, and {@code FallbackAnswers} answers after a failure. Record 22 names
 * the test that fails without each check.
 */
package org.rocksdbffm.internal.order;
