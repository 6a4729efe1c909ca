/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system, with a pause before files of a checkpoint are created. */
public final class HeldFiles extends LocalFileSystem {
  private static final String SCHEME = "held";
  private static final AtomicInteger HELD = new AtomicInteger();
  private static volatile CountDownLatch gate = new CountDownLatch(0);

  /** The factory, which Flink loads as a service. */
  public static final class Factory implements FileSystemFactory {
    @Override
    public String getScheme() {
      return SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
      return new HeldFiles();
    }
  }

  /** Returns the URI of a folder in this file system. */
  static String uri(java.nio.file.Path folder) {
    return SCHEME + "://" + folder.toUri().getPath();
  }

  static void hold() {
    HELD.set(0);
    gate = new CountDownLatch(1);
  }

  static boolean isHeld() {
    return HELD.get() > 0;
  }

  static void release() {
    gate.countDown();
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
    if (gate.getCount() > 0) {
      HELD.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw (IOException) new InterruptedIOException().initCause(e);
      }
    }
    return super.create(path, mode);
  }
}
