/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

@Name("org.rocksdbffm.LiveObjects")
@Label("Live Native Objects")
@Description("How many native objects of a kind there are")
@Category("RocksDB")
@Period("10 s")
@StackTrace(false)
final class LiveObjectCount extends Event {
  @Label("Kind")
  String kind;

  @Label("Count")
  long count;

  @Label("Bytes")
  @Description("Native memory of this library that they take; the engine has its own")
  long bytes;
}
