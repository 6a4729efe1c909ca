/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.archive.ObjectStore;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** Sends objects that must not exist yet, whole or in parts. Thread-safe. */
final class S3Upload {
  static final int PART = 8 << 20;
  private static final int MOST_PARTS = 10_000;
  private static final Duration ABANDONED = Duration.ofDays(1);
  private static final String ABSENT = "*";

  private final S3Client client;
  private final String bucket;
  private final String prefix;
  private final AtomicBoolean isClean = new AtomicBoolean(); // whether abandoned uploads were deleted

  S3Upload(S3Client client, String bucket, String prefix) {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  /** Returns all bytes of a content; throws if their number differs from its size. */
  static byte[] read(ObjectStore.Content content) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(content.size())];
    try (InputStream in = content.open()) {
      fill(in, bytes, bytes.length);
      requireEnd(in);
    }
    return bytes;
  }

  private static void fill(InputStream in, byte[] bytes, int length) throws IOException {
    int count = in.readNBytes(bytes, 0, length);
    if (count < length) {
      throw new EOFException(
          "the content ends " + (length - count) + " bytes before its size: it changed during the upload");
    }
  }

  private static void requireEnd(InputStream in) throws IOException {
    if (in.read() >= 0) {
      throw new IOException("the content has more bytes than its size: it changed during the upload");
    }
  }

  private static RequestBody body(byte[] bytes, int length) {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(bytes, 0, length), length, "application/octet-stream");
  }

  private static String md5(byte[] bytes, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5"); // required by S3; the archive's checksums are SHA-256
      digest.update(bytes, 0, length);
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no MD5, which S3 requires", e);
    }
  }

  /** Stores an object with one request. */
  void whole(String key, byte[] bytes) {
    client.putObject(
        request -> request.bucket(bucket).key(key).ifNoneMatch(ABSENT).contentMD5(md5(bytes, bytes.length)),
        body(bytes, bytes.length));
  }

  /** Stores an object in parts; it appears when all parts are stored. */
  boolean inParts(String key, ObjectStore.Content content) throws IOException {
    if (!isClean.getAndSet(true)) {
      deleteAbandoned(Instant.now().minus(ABANDONED));
    }
    String id = client.createMultipartUpload(request -> request.bucket(bucket).key(key)).uploadId();
    try {
      List<CompletedPart> parts = send(key, id, content);
      client.completeMultipartUpload(request ->
          request.bucket(bucket).key(key).uploadId(id).ifNoneMatch(ABSENT).multipartUpload(all -> all.parts(parts)));
      return true;
    } catch (IOException | RuntimeException | Error e) {
      abort(key, id, e);
      throw e;
    }
  }

  private List<CompletedPart> send(String key, String id, ObjectStore.Content content) throws IOException {
    long size = content.size();
    int part = Math.toIntExact(Math.max(PART, (size + MOST_PARTS - 1) / MOST_PARTS));
    byte[] bytes = new byte[part];
    List<CompletedPart> parts = new ArrayList<>();
    try (InputStream in = content.open()) {
      for (long left = size; left > 0; left -= part) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("stopped");
        }
        int length = (int) Math.min(part, left);
        fill(in, bytes, length);
        parts.add(send(key, id, parts.size() + 1, bytes, length));
      }
      requireEnd(in);
    }
    return parts;
  }

  private CompletedPart send(String key, String id, int number, byte[] bytes, int length) {
    String tag =
        client
            .uploadPart(
                request ->
                    request.bucket(bucket).key(key).uploadId(id).partNumber(number).contentMD5(md5(bytes, length)),
                body(bytes, length))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  private void abort(String key, String id, Throwable failure) {
    try {
      client.abortMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(id));
    } catch (SdkException e) {
      failure.addSuppressed(e); // the upload is deleted after a day
    }
  }

  /**
   * Deletes the parts of uploads whose process was killed. The server lists at most a thousand uploads, and may not
   * permit listing them; a lifecycle rule of the bucket can delete them instead.
   */
  void deleteAbandoned(Instant before) {
    try {
      List<MultipartUpload> unfinished =
          client.listMultipartUploads(request -> request.bucket(bucket).prefix(prefix)).uploads();
      for (MultipartUpload each : unfinished) {
        if (each.initiated() != null && each.initiated().isBefore(before)) {
          client.abortMultipartUpload(request -> request.bucket(bucket).key(each.key()).uploadId(each.uploadId()));
        }
      }
    } catch (SdkException e) {
      return; // the upload itself fails if the server does not answer
    }
  }
}
