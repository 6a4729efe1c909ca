/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

/** Exports figures of all open databases without the program's doing: a service, see {@link OpenDatabases}. */
public interface Monitor {
  /** Starts to export in the ways of these names. */
  void start(String names);
}
