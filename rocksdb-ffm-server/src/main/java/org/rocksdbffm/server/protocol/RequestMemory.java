/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of what clients have sent and the server keeps: commands that are not complete, and large values. A
 * command that came at once and is small is not counted; the buffer that it was read into is, in effect, by the limit of
 * connections. Thread-safe.
 */
public final class RequestMemory {
  private final long most;
  private final AtomicLong taken = new AtomicLong();

  public RequestMemory(long most) {
    this.most = most;
  }

  /** Takes some, or throws and takes none. */
  void take(long bytes) {
    long now = taken.addAndGet(bytes);
    if (now > most) {
      taken.addAndGet(-bytes);
      throw new RefusedRequest(
          "BUSY the requests of all clients have " + (now - bytes) + " bytes, and " + most + " is the limit: try again");
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
