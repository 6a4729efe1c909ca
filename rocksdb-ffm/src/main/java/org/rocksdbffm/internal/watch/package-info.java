/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The open databases of the process, of core and drop-in, for monitoring. */
package org.rocksdbffm.internal.watch;
