/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file with the number of the last acknowledged step of a writer, which survives a kill of the writer. */
final class Ledger implements AutoCloseable {
  /** The steps that a writer records. */
  enum Step {
    DONE,
    PREPARED
  }

  private final FileChannel channel;

  Ledger(Path folder, int writer, Step step) {
    try {
      channel = FileChannel.open(file(folder, writer, step), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(Path folder, int writer, Step step) {
    return folder.resolve(step + "-" + writer);
  }

  /** Records that the steps up to a number were acknowledged. */
  void record(long number) {
    try {
      channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, number), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of a writer's last acknowledged step; -1 if none. */
  static long read(Path folder, int writer, Step step) throws IOException {
    Path file = file(folder, writer, step);
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    return bytes.length < Long.BYTES ? -1 : ByteBuffer.wrap(bytes).getLong();
  }

  static void delete(Path folder, int writer) throws IOException {
    for (Step step : Step.values()) {
      Files.deleteIfExists(file(folder, writer, step));
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
