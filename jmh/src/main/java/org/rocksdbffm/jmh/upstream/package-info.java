/* Licensed under the Apache License, Version 2.0; see LICENSE. */

/** The benchmarks of RocksDB's own Java module, written anew for two engines. */
package org.rocksdbffm.jmh.upstream;
