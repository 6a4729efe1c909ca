/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The lifetimes of native objects: a guard in each object of {@code org.rocksdb} keeps the native object from being
 * destroyed while it is in use, and from being used afterwards. Also what a callback of the program's borrows, throws,
 * and may not call; and comparators.
 */
package org.rocksdbffm.compat.lifetime;
