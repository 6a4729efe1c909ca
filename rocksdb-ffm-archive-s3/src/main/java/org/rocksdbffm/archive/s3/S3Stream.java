/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The bytes of an object. Fails if the connection ends early. Closing it early does not read the remaining bytes. */
final class S3Stream extends FilterInputStream {
  private final ResponseInputStream<GetObjectResponse> response;
  private final String name;
  private long left;

  S3Stream(ResponseInputStream<GetObjectResponse> response, String name) {
    super(response);
    this.response = response;
    this.name = name;
    Long length = response.response().contentLength();
    this.left = length == null ? 0 : length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count;
    try {
      count = super.read(bytes, from, length);
    } catch (InterruptedIOException e) {
      throw failure(e); // also a time limit
    } catch (SdkException e) {
      throw failure(e);
    }
    if (count < 0 && left > 0) {
      throw new IOException("the connection ended " + left + " bytes before the end of " + name);
    }
    left -= Math.max(count, 0);
    return count;
  }

  private IOException failure(Exception e) {
    String message = "cannot read " + name + ": " + e.getMessage();
    IOException failure =
        Thread.currentThread().isInterrupted() ? new InterruptedIOException(message) : new IOException(message);
    failure.initCause(e);
    return failure;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public void close() throws IOException {
    if (left > 0) {
      response.abort();
    } else {
      super.close();
    }
  }
}
