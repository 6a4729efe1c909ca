/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Lifetimes of native objects. A guard in each {@code org.rocksdb} object prevents the destruction of the native object
 * during a use, and uses after the destruction. Its parts are those of the core's lifetimes.
 */
package org.rocksdbffm.compat.lifetime;
