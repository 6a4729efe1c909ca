/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Lifetimes of native objects. A guard in each {@code org.rocksdb} object prevents the destruction of the native object
 * during a use, and uses after the destruction. It is made of the classes for lifetimes in the core.
 */
package org.rocksdbffm.compat.lifetime;
