/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Adds a remedy to the message of a failed request. */
final class S3Failures {
  private final S3Store store;

  S3Failures(S3Store store) {
    this.store = store;
  }

  IOException of(String request, String name, SdkException e) {
    if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped = new InterruptedIOException("stopped");
      stopped.initCause(e);
      return stopped;
    }
    String advice = e instanceof S3Exception refused ? advice(refused) : advice(e);
    String call = name.isEmpty() ? request : request + " " + name;
    return new IOException("cannot " + call + " in " + store + ": " + advice, e);
  }

  private static String code(S3Exception e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    return code == null ? "" : code;
  }

  private String advice(S3Exception e) {
    return switch (code(e)) {
      case "NoSuchBucket" ->
          "there is no bucket " + store.bucket() + ": create it, or correct its name or the endpoint";
      case "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture" ->
          "the clock of this machine is wrong by minutes: set it, for example by NTP (" + e.getMessage() + ")";
      case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "InvalidSecurity" ->
          "the server does not accept the credentials: correct or renew them (" + e.getMessage() + ")";
      case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException" -> region(e);
      case "NotImplemented" -> "the server lacks a function: use one with conditional writes (" + e.getMessage() + ")";
      default -> other(e);
    };
  }

  private static String other(S3Exception e) {
    return switch (e.statusCode()) {
      case 403 ->
          "access is denied: allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on its"
              + " objects, and s3:ListBucket on the bucket (" + e.getMessage() + ")";
      case 301, 307 -> region(e);
      default -> e.getMessage();
    };
  }

  private static String region(S3Exception e) {
    return "the bucket is in another region: set the bucket's region (" + e.getMessage() + ")";
  }

  private static String advice(SdkException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("Unable to load credentials")) {
      return "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or a role ("
          + message + ")";
    }
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == e ? message : message + " (" + root + ")";
  }
}
