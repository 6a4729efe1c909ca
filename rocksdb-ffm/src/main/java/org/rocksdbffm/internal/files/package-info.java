/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/**
 * Copies of databases and their files: checkpoints, backups, exports, and the folders where these are made; table files that
 * are written, and become a part of a database. Anything that is cut off leaves what was there before as it was.
 */
package org.rocksdbffm.internal.files;
