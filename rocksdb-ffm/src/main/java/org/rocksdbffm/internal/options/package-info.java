/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Checks the user's options against the reviewed option table: each value by its row, and combinations by rules.
 * RocksDB only gets the text that is written from the checked values.
 */
package org.rocksdbffm.internal.options;
