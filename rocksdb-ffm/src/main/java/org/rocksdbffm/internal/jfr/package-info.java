/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Flight Recorder events. Nothing here is loaded before a recording starts, and the module may be missing. */
package org.rocksdbffm.internal.jfr;
