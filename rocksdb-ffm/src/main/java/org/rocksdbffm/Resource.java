/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.leak.LeakWatch;

/** An object that stands for something of the engine's: a program closes it, or it is reported as forgotten. */
abstract class Resource implements AutoCloseable {
  final LeakWatch watch;
  private final HandledResource standsFor;

  Resource(HandledResource standsFor) {
    this.standsFor = standsFor;
    this.watch = LeakWatch.over(this, standsFor);
  }

  /** Gives up what this stands for; idempotent, from any thread. Calls in progress are waited for. */
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
