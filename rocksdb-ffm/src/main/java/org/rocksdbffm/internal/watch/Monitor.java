/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

/** A service that exports metrics of all open databases without code in the program; see {@link OpenDatabases}. */
public interface Monitor {
  /** Starts the exporters that are named in {@code names}. */
  void start(String names);
}
