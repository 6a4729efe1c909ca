/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Copies of databases, checkpoints and backups, and the folders where these are made; work on files that are there. Anything
 * that is cut off leaves what was there before as it was.
 */
package org.rocksdbffm.internal.files;
