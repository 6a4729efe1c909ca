/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file with the number of a writer's last acknowledged write, which survives a kill of the writer. */
final class Ledger implements AutoCloseable {
  private final FileChannel channel;

  Ledger(Path folder, int writer) {
    try {
      channel = FileChannel.open(file(folder, writer), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(Path folder, int writer) {
    return folder.resolve("promised-" + writer);
  }

  /** Records that the writes up to a number were acknowledged. */
  void promised(long number) {
    try {
      channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, number), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of a writer's last acknowledged write; -1 if none. */
  static long read(Path folder, int writer) throws IOException {
    Path file = file(folder, writer);
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    return bytes.length < Long.BYTES ? -1 : ByteBuffer.wrap(bytes).getLong();
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
