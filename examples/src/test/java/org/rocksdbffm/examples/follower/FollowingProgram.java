/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.nio.file.Files;
import java.nio.file.Path;

/** Follows the primary at a port until it has the write whose number is in the file "last". */
final class FollowingProgram {
  private static final long POLL_MILLIS = 20;

  private FollowingProgram() {}

  /** Takes the folder of the test, and the port. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path last = folder.resolve("last");
    try (Follower follower = new Follower(folder.resolve("follower"), BusyPrimary.OPTIONS)) {
      Thread following = start(follower, Integer.parseInt(arguments[1]));
      while (!Files.exists(last) || !has(follower, Long.parseLong(Files.readString(last)))) {
        if (!following.isAlive()) {
          throw new IllegalStateException("the follower has ended");
        }
        Thread.sleep(POLL_MILLIS);
      }
      following.interrupt();
      following.join();
    }
  }

  /** Starts to follow, until the thread is interrupted. */
  static Thread start(Follower follower, int port) {
    return Thread.ofPlatform().daemon().start(() -> {
      try {
        follower.follow(port);
      } catch (InterruptedException enough) {
        return;
      }
    });
  }

  /** Whether the follower has received a checkpoint, and the write with a number. */
  static boolean has(Follower follower, long last) {
    try {
      return follower.db() != null && follower.db().files().latestSequenceNumber() >= last;
    } catch (IllegalStateException replaced) {
      return false; // a checkpoint replaces the database
    }
  }
}
