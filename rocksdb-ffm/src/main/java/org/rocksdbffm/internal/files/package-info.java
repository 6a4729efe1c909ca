/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Copies of databases, checkpoints and backups, and the folders in which they are created; reading the WAL; repair. An
 * interrupted operation leaves existing files unchanged.
 */
package org.rocksdbffm.internal.files;
