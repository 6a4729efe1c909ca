/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.handoff;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * An input stream of leased bytes. <em>Owns</em> the lease until it is closed. Thread-safe; threads share the
 * position.
 */
public final class LeasedStream extends InputStream {
  private final Lease lease;
  private final String name;
  private long position;
  private long mark;
  private boolean closed;

  public LeasedStream(Lease lease, String name) {
    this.lease = lease;
    this.name = name;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream of a " + name + " is closed");
    }
  }

  private long left() {
    return lease.size() - position;
  }

  @Override
  public synchronized int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] target, int offset, int length) throws IOException {
    Objects.requireNonNull(target, "target");
    Objects.checkFromIndexSize(offset, length, target.length);
    requireOpen();
    if (length == 0) {
      return 0;
    }
    if (left() == 0) {
      return -1;
    }
    int count = (int) Math.min(length, left());
    lease.copy(position, target, offset, count);
    position += count;
    return count;
  }

  @Override
  public synchronized long skip(long count) throws IOException {
    requireOpen();
    long skipped = Math.clamp(count, 0, left());
    position += skipped;
    return skipped;
  }

  @Override
  public synchronized int available() throws IOException {
    requireOpen();
    return (int) Math.min(left(), Integer.MAX_VALUE);
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  public synchronized void mark(int limit) {
    mark = position;
  }

  @Override
  public synchronized void reset() throws IOException {
    requireOpen();
    position = mark;
  }

  @Override
  public synchronized void close() {
    closed = true;
    lease.end();
  }
}
