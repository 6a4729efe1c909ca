/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("org.rocksdbffm.TransactionConflict")
@Label("Transaction Conflict")
@Description("A transaction came in the way of others: it could not lock a key, or not be committed")
@Category("RocksDB")
final class TransactionConflict extends Event {
  @Label("Transaction")
  String transaction;

  @Label("Reason")
  String reason;
}
