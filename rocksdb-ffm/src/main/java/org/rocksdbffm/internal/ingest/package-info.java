/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Table files that come from elsewhere: written by themselves, or exported from a database, and made a part of another. A
 * file by which rows would be lost, or the process end, is refused before anything is done.
 */
package org.rocksdbffm.internal.ingest;
