/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

/** The places where an engine can find the rows that are read. */
public enum DataPlace {
  /** In files whose blocks are all in the block cache. */
  CACHE,
  /** The same, with a Bloom filter of ten bits a key, which mostly spares looking for what is not there. */
  FILTER,
  /** In files that the operating system has in memory; there is no block cache. */
  OS_CACHE,
  /** In the memtable. */
  MEMTABLE
}
