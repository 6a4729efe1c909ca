/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Bytes in memory, as the content of an object. */
record Bytes(byte[] bytes) implements ObjectStore.Content {
  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public InputStream open() {
    return new ByteArrayInputStream(bytes);
  }
}
