/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("org.rocksdbffm.PinHeld")
@Label("Pin Held Long")
@Description("A watched value was pinned for long before it was released")
@Category("RocksDB")
final class PinHeld extends Event {
  @Label("Pinned")
  String pinned;

  @Label("Held")
  @Timespan
  long held;
}
