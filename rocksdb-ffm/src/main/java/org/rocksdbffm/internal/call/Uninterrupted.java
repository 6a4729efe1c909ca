/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Waits, and work with the channels of files, which an interrupt would close: it is put off until they are done. */
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

  /** A wait, which is begun again where it was interrupted. */
  public interface Wait<T> {
    T run() throws InterruptedException;
  }

  /** Waits to the end; the thread is interrupted afterwards if it was meanwhile. */
  public static <T> T await(Wait<T> wait) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.run();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
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
