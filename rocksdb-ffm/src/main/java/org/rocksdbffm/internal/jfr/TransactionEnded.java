/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("org.rocksdbffm.Transaction")
@Label("Transaction")
@Description("A transaction has ended")
@Category("RocksDB")
final class TransactionEnded extends Event {
  @Label("Transaction")
  String transaction;

  @Label("End")
  String end;

  @Label("Elapsed")
  @Timespan
  long elapsed;
}
