/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** The first bytes of a file, which must not be shorter. Not thread-safe. */
final class FilePrefix extends InputStream {
  private final InputStream in;
  private final Path path;
  private long left;

  FilePrefix(InputStream in, long size, Path path) {
    this.in = in;
    this.left = size;
    this.path = path;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (left == 0 && length > 0) {
      return -1;
    }
    int count = in.read(into, from, (int) Math.min(left, length));
    if (count < 0) {
      throw new EOFException(path + " ends " + left + " bytes before the end of what is to be copied");
    }
    left -= count;
    return count;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(left, in.available());
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
