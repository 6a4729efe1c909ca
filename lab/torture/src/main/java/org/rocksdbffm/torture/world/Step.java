/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

/** An operation, with the seed of its random choices, which therefore do not change if other steps are removed. */
public record Step(String operation, long seed) {
  public static Step parse(String text) {
    String[] parts = text.split("#");
    return new Step(parts[0], Long.parseLong(parts[1]));
  }

  @Override
  public String toString() {
    return operation + "#" + seed;
  }
}
