/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.nio.file.Path;

/** Follows the primary at a port until it is killed. */
final class FollowingProgram {
  private FollowingProgram() {}

  /** Takes the folder of the test, and the port. */
  public static void main(String[] arguments) throws Exception {
    try (Follower follower = new Follower(Path.of(arguments[0]).resolve("follower"), BusyPrimary.OPTIONS)) {
      follower.follow(Integer.parseInt(arguments[1]));
    }
  }
}
