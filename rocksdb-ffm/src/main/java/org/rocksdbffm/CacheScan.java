/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** How old a {@link CacheReport} may be. The engine looks through a whole cache for a new one, by the thread that asks. */
public enum CacheScan {
  /** Not older than ten seconds, or than ten times of what the last look took: for somebody who looks at a database. */
  FRESH("rocksdb.block-cache-entry-stats"),
  /** Not older than three minutes, or than 500 times of what the last look took: for a monitor that always asks. */
  CHEAP("rocksdb.fast-block-cache-entry-stats");

  private final String property;

  CacheScan(String property) {
    this.property = property;
  }

  /** The engine's name of the property. */
  String property() {
    return property;
  }
}
