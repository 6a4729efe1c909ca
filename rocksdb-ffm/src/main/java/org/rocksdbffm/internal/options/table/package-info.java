/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The reviewed tables of options and properties, and the types by which a value is parsed, held against its row and written
 * down again.
 */
package org.rocksdbffm.internal.options.table;
