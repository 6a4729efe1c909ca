/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import java.io.InputStream;
import java.time.Duration;
import org.rocksdbffm.archive.ObjectStore;

/** Uploads a large object, and ends after its first part as if it was killed. */
final class KilledUpload {
  static final int CODE = 17;
  static final String NAME = "files/large";

  private KilledUpload() {}

  public static void main(String[] arguments) throws Exception {
    long size = 3L * S3Upload.PART;
    ObjectStore.Content content = new ObjectStore.Content() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public InputStream open() {
        return new InputStream() {
          private long left = S3Upload.PART;

          @Override
          public int read() {
            return left-- > 0 ? 1 : exit();
          }
        };
      }
    };
    try (S3Store store = S3Server.store(Integer.parseInt(arguments[0]), Duration.ofMinutes(1))) {
      store.putIfAbsent(NAME, content);
    }
  }

  private static int exit() {
    Runtime.getRuntime().halt(CODE);
    return -1;
  }
}
