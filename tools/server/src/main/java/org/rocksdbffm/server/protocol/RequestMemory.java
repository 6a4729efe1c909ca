/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of requests in memory: incomplete commands, and large values. Small commands that arrive in one read
 * are not counted, because the limit of connections limits the read buffers. Thread-safe.
 */
public final class RequestMemory {
  private final long most;
  private final AtomicLong taken = new AtomicLong();

  public RequestMemory(long most) {
    this.most = most;
  }

  /** Adds bytes to the count, or throws if that would exceed the limit. */
  void take(long bytes) {
    long now = taken.addAndGet(bytes);
    if (now > most) {
      taken.addAndGet(-bytes);
      throw new RefusedRequest(
          "BUSY the requests of all clients have " + (now - bytes) + " bytes, and " + most
              + " is the limit: try again");
    }
  }

  void give(long bytes) {
    if (bytes != 0) {
      taken.addAndGet(-bytes);
    }
  }

  public long bytes() {
    return taken.get();
  }
}
