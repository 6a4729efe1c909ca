/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads the entries of iterators ahead, and copies them. */
package org.rocksdbffm.compat.scan;
