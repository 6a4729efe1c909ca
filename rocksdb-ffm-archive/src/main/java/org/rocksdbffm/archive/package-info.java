/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Continuous copies of a database in an object store, and restores to a point in time.
 *
 * <p>An {@link org.rocksdbffm.archive.ObjectStore} keeps the objects of an archive: a {@link
 * org.rocksdbffm.archive.FolderStore folder}, or a service on another machine.
 */
package org.rocksdbffm.archive;
