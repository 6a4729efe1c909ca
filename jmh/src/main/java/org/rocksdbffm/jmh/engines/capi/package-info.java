/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The loops in C, called once for many operations: the lower bound for any binding. */
package org.rocksdbffm.jmh.engines.capi;
