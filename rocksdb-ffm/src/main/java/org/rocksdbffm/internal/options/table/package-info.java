/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The reviewed tables of options and properties, and the types that parse a value, check it against its row, and write
 * it in RocksDB's notation.
 */
package org.rocksdbffm.internal.options.table;
