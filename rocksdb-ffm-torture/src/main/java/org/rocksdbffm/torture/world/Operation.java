/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

/** Something that a client does, chosen as often as its weight says. */
public record Operation(String name, int weight, Body body) {
  /** The code of an operation; an exception that is documented is an answer too. */
  public interface Body {
    void run(Attempt attempt);
  }
}
