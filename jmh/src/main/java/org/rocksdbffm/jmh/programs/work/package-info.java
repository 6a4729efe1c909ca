/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Whole programs to measure, modelled on typical users of RocksDB. */
package org.rocksdbffm.jmh.programs.work;
