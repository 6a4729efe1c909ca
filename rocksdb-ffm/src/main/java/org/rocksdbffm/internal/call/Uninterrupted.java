/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Work with the channels of files, which an interrupt would close: it is put off until the work is done. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** The work, which is short. */
  public interface Work<T> {
    T run() throws IOException;
  }

  public static <T> T run(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits until the disk has the names in a folder. */
  public static void sync(Path folder) throws IOException {
    run(
        () -> {
          try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
          }
          return null;
        });
  }
}
