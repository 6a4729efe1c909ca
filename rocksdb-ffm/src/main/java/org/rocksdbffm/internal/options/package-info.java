/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * The options and properties of the engine, and which of their values this library promises to work with. One reviewed
 * table holds them ({@code option-table.txt}); a value is parsed here as the engine would parse it, held against the table,
 * and written down again, so that the engine reads what was checked and nothing else.
 */
package org.rocksdbffm.internal.options;

