/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long a thread was ready to run, but had no processor, as Linux counts it. Used by this thread. */
final class RunDelay implements AutoCloseable {
  private static final Path COUNTS = Path.of("/proc/thread-self/schedstat");

  private final FileChannel file; // null if the system does not count
  private final ByteBuffer text = ByteBuffer.allocateDirect(128);

  private RunDelay(FileChannel file) {
    this.file = file;
  }

  /** Opens the counts of the calling thread. */
  static RunDelay ofThisThread() {
    try {
      return new RunDelay(Files.exists(COUNTS) ? FileChannel.open(COUNTS) : null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the nanoseconds so far: the second number of the file. */
  long nanos() {
    if (file == null) {
      return 0;
    }
    try {
      file.read(text.clear(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    text.flip();
    long number = 0;
    for (int fields = 0; fields < 2 && text.hasRemaining(); ) {
      int digit = text.get() - '0';
      if (digit < 0) {
        fields++;
      } else if (fields == 1) {
        number = 10 * number + digit;
      }
    }
    return number;
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
