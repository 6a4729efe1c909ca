/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/**
 * Events of the Flight Recorder. Nothing here is loaded before a recording begins, and the module may be missing.
 */
package org.rocksdbffm.internal.jfr;
