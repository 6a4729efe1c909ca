/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import java.nio.file.Path;

/** One value of a setting, and the use of a database with it. */
record SweepCase(String name, Use use) {
  /** Works in an empty folder, and describes the entries that it read. */
  interface Use {
    String in(Path folder) throws Exception;
  }
}
