/* Licensed under the Apache License, Version 2.0; see LICENSE. */
/** The databases of the drop-in, for Flight Recorder events and metrics. */
package org.rocksdbffm.compat.watch;
