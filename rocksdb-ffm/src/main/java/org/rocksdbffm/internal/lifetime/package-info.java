/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The lifetimes of native objects, for the core and the drop-in. An object with a lifetime has objects of these classes
 * as fields, and extends none of them.
 */
package org.rocksdbffm.internal.lifetime;
