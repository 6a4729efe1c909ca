/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Scans of many ranges together, and scans by several threads. */
package org.rocksdbffm.jmh.ranges;
