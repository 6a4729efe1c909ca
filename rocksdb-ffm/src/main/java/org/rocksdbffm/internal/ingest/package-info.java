/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Table files from outside of a database: written by a program or exported, and then made part of a database. A file
 * that would cause lost rows or a crash is refused beforehand.
 */
package org.rocksdbffm.internal.ingest;
