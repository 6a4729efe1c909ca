/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

/** A request that breaks the protocol, or is over a limit. Its client is told. */
public final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The message is what the client is told, with the kind of error in front. */
  RefusedRequest(String message) {
    super(message, null, false, false);
  }

  static RefusedRequest protocol(String message) {
    return new RefusedRequest("ERR Protocol error: " + message);
  }
}
