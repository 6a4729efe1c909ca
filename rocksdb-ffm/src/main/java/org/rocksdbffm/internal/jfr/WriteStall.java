/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

@Name("org.rocksdbffm.WriteStall")
@Label("Write Stall")
@Description("Writes to a database are delayed or stopped at the moment")
@Category("RocksDB")
@Period("1 s")
@StackTrace(false)
final class WriteStall extends Event {
  @Label("Database")
  String database;

  @Label("Stopped")
  boolean stopped;

  @Label("Delayed Rate")
  @Description("Bytes a second that writes are held down to")
  long delayedRate;
}
