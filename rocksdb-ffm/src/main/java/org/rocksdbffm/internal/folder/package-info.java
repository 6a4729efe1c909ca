/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * The files of a database's folder, read before the engine may write to it: CURRENT, the MANIFEST, the OPTIONS file and
 * the logs. It knows nothing of open databases and of native memory, and decides by texts: null where all is well.
 */
package org.rocksdbffm.internal.folder;
