/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.leak.LeakWatch;

/** An object that represents an engine object: the program closes it, or it is reported as leaked. */
abstract class Resource implements AutoCloseable {
  final LeakWatch watch;
  private final HandledResource standsFor;

  @SuppressWarnings({"unused", "FieldCanBeLocal"}) // keeps the database of the object reachable
  private final Object databaseToken;

  Resource(HandledResource standsFor) {
    this(standsFor, null);
  }

  Resource(HandledResource standsFor, Object databaseToken) {
    this.standsFor = standsFor;
    this.databaseToken = databaseToken;
    this.watch = LeakWatch.over(this, standsFor);
  }

  /** Closes the object; idempotent, from any thread. Waits for calls in progress. */
  @Override
  public void close() {
    standsFor.close();
    watch.end();
  }

  @Override
  public String toString() {
    return standsFor.name();
  }
}
