/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;

/** Thrown if another process has started to write the archive, with a database that continues it. */
public final class Fenced extends IOException {
  private static final long serialVersionUID = 1;

  Fenced(String message) {
    super(message);
  }
}
