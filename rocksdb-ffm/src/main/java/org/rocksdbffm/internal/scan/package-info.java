/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** Reads in key order: engine iterators, and blocks of rows that one call reads. */
package org.rocksdbffm.internal.scan;
