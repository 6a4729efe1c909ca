/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** Programs that are measured whole, written after those that people run on RocksDB. */
package org.rocksdbffm.jmh.programs.work;
