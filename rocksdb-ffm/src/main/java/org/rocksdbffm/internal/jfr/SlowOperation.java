/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("org.rocksdbffm.SlowOperation")
@Label("Slow Operation")
@Description("A call to the engine took long; the stack says which")
@Category("RocksDB")
final class SlowOperation extends Event {
  @Label("Elapsed")
  @Timespan
  long elapsed;
}
