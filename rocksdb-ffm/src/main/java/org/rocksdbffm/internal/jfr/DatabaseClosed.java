/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("org.rocksdbffm.DatabaseClosed")
@Label("Database Closed")
@Description("A database was closed")
@Category("RocksDB")
final class DatabaseClosed extends Event {
  @Label("Database")
  String database;

  @Label("Elapsed")
  @Timespan
  long elapsed;

  @Label("Pins")
  @Description("How many values are pinned, which keep the database in the engine")
  long pins;
}
