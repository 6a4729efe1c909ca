/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Postpones interrupts during waits and file channel operations, because an interrupt would close the channel. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Short work with a channel. */
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

  /** A wait, which is restarted after an interrupt. */
  public interface Wait<T> {
    T run() throws InterruptedException;
  }

  /** Waits to the end; restores the interrupt status afterwards. */
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

  /** Syncs a folder, so that the names of its files are durable. */
  public static void sync(Path folder) throws IOException {
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
