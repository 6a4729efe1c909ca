/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

/** An operation of clients, which is chosen with a probability in proportion to its weight. */
public record Operation(String name, int weight, Body body) {
  /** The code of an operation; a documented exception is a valid result. */
  public interface Body {
    void run(Attempt attempt);
  }
}
