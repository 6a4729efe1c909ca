/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.io.IOException;

/** A thread's gets with an engine, which sends the values to a socket with the engine's fastest method. */
public interface SendLoop extends AutoCloseable {
  /** Sends the values of the next keys, and returns their total size. */
  long send() throws Exception;

  @Override
  void close() throws IOException;
}
