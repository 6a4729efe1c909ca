/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

/** The places in which an engine finds the rows. */
public enum DataPlace {
  /** Table files whose blocks are all in the block cache. */
  CACHE,
  /** Like CACHE, with a Bloom filter of ten bits per key, which avoids most searches of missing keys. */
  FILTER,
  /** Table files in the page cache of the operating system, without a block cache. */
  OS_CACHE,
  /** The memtable. */
  MEMTABLE
}
