/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.rocksdbffm.Leak")
@Label("Leak")
@Description("Something native became unreachable that nobody had closed")
@Category("RocksDB")
@StackTrace(false)
final class Leak extends Event {
  @Label("Object")
  String object;

  @Label("Created At")
  @Description("The stack of the thread that created it, where that was recorded")
  String createdAt;
}
