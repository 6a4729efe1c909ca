/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Databases of the core and of the drop-in whose disk becomes full repeatedly: {@code ./torture --full-disk}. */
package org.rocksdbffm.compat.fulldisk;
