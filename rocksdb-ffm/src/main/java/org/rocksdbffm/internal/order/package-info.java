/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Comparators in Java. The engine relies on an order that never changes its mind, and can crash on one that does: so answers
 * are checked by samples, sorts of the engine get answers that go together, and a database whose order is lost stops. A
 * process without such a comparator runs no line of this.
 */
package org.rocksdbffm.internal.order;
