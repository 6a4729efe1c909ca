/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Whole databases: opening and closing, column families, snapshots, properties, statistics, flushes and compactions.
 * Options are checked against the files in the folder before the engine opens a database.
 */
package org.rocksdbffm.compat.database;
