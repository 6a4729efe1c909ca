/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.io.IOException;

/** A thread's gets by one engine, whose values go to a socket on the shortest way that the engine has. */
public interface SendLoop extends AutoCloseable {
  /** Sends the values of the next keys, and returns how many bytes they have. */
  long send() throws Exception;

  @Override
  void close() throws IOException;
}
