/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Lifetimes of native objects. A guard in each {@code org.rocksdb} object prevents the destruction of the native object
 * during a use, and uses after the destruction. Also the objects that Java callbacks borrow, the exceptions that they
 * throw, and the methods that they must not call; and comparators.
 */
package org.rocksdbffm.compat.lifetime;
