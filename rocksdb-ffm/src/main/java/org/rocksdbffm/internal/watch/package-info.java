/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The open databases of the process, of the core and of the drop-in, for those who watch all of them. */
package org.rocksdbffm.internal.watch;
