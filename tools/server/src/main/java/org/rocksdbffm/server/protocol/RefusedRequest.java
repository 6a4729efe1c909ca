/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

/** A request violates the protocol or a limit. The client gets an error. */
public final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The message is the reply to the client, and starts with the kind of error. */
  RefusedRequest(String message) {
    super(message, null, false, false);
  }

  static RefusedRequest protocol(String message) {
    return new RefusedRequest("ERR Protocol error: " + message);
  }
}
