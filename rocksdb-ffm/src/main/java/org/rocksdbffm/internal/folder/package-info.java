/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * The files of a database folder, read before the engine may write to it: CURRENT, the MANIFEST, the OPTIONS file and
 * the WAL. Knows no open databases, and no native memory. A check throws {@code Refused} with the reason and a remedy.
 */
package org.rocksdbffm.internal.folder;
