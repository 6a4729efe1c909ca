/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("org.rocksdbffm.LockWait")
@Label("Lock Wait")
@Description("A call in a transaction that locks a key took long; the stack says which")
@Category("RocksDB")
final class LockWait extends Event {
  @Label("Elapsed")
  @Timespan
  long elapsed;
}
