/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Comparators in Java. The engine relies on an order that never changes its mind, and can crash on one that does: so answers
 * are checked by samples, sorts of the engine get answers that go together, and a database whose order is lost stops. A
 * process without such a comparator runs no line of this.
 *
 * <p>The engine asks a {@code NativeComparator}. A {@code CheckedComparator} asks the code in Java, and doubts it by the
 * help of {@code KeySample}s; {@code FileBounds} hold the ends of files against each other. {@code AnswerCache} and
 * {@code KeyPositions} have the engine's threads hear the same again, and {@code FallbackAnswers} is for an order that is
 * lost. Record 22 names the test that fails without each check.
 */
package org.rocksdbffm.internal.order;
