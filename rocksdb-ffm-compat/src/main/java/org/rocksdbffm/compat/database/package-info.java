/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * A database as a whole: opening and closing, column families, snapshots, properties, statistics, flushes and
 * compactions. The options are checked against the files in the folder before the engine opens it.
 */
package org.rocksdbffm.compat.database;
