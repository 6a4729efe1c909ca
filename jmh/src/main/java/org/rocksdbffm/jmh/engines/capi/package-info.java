/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The loops in C, which are called once for many operations: the limit for any binding. */
package org.rocksdbffm.jmh.engines.capi;
