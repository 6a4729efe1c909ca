/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Databases of the core and of the drop-in whose disk is full again and again: {@code ./torture --full-disk}. */
package org.rocksdbffm.compat.fulldisk;
