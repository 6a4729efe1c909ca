/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The loops with this library. */
package org.rocksdbffm.jmh.engines.ffm;
