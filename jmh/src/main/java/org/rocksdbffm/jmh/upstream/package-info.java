/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The benchmarks of RocksDB's Java module, rewritten for two engines. */
package org.rocksdbffm.jmh.upstream;
