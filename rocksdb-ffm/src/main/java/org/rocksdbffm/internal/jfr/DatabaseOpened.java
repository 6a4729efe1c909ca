/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("org.rocksdbffm.DatabaseOpened")
@Label("Database Opened")
@Description("A database was opened")
@Category("RocksDB")
final class DatabaseOpened extends Event {
  @Label("Database")
  String database;

  @Label("Elapsed")
  @Timespan
  long elapsed;
}
