/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;

/** A logger of a client, whose own log is left out. */
final class Quiet extends Logger {
  Quiet(InfoLogLevel level) {
    super(level);
  }

  Quiet(DBOptions options) {
    super(options);
  }

  @Override
  protected void log(InfoLogLevel level, String message) {}
}
