/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;

/** A client's logger that discards messages. */
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
