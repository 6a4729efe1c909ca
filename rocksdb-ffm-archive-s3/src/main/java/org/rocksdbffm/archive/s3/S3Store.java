/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.archive.Names;
import org.rocksdbffm.archive.ObjectStore;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Keeps objects in a bucket of Amazon S3, or of another server with its protocol, such as MinIO, Ceph or Cloudflare R2.
 * The server must have conditional writes ({@code If-None-Match: *}): the first put checks this, and fails without
 * them. Objects of more than 8 MiB are sent in parts, and each thread has one part in memory. Credentials are found by
 * Amazon's SDK: in the environment, system properties, a profile, or the machine's or container's role. Thread-safe.
 */
public final class S3Store implements ObjectStore {
  private static final int CONDITION_FAILED = 412;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final int MOST_LISTED = 1000;

  /**
   * The location of the objects, and the access to it.
   *
   * @param bucket the name of an existing bucket
   * @param prefix the keys of objects begin with this text and a slash; empty for the whole bucket
   * @param region the bucket's region; null for the default of the environment or profile
   * @param endpoint the address of a server other than Amazon's; null for Amazon's
   * @param pathStyle whether requests name the bucket in the path instead of the host name
   * @param credentials the credentials; null for the default of the environment, profile or role
   */
  public record Options(
      String bucket,
      String prefix,
      String region,
      URI endpoint,
      boolean pathStyle,
      AwsCredentialsProvider credentials) {
    /** Checks the options. */
    public Options {
      if (requireNonNull(bucket, "bucket").isBlank()) {
        throw new IllegalArgumentException("bucket: empty, but it must be the name of a bucket");
      }
      if (requireNonNull(prefix, "prefix").startsWith("/") || prefix.endsWith("/")) {
        throw new IllegalArgumentException("prefix: '" + prefix + "' must not start or end with a slash");
      }
      if (endpoint != null && endpoint.getHost() == null) {
        throw new IllegalArgumentException(
            "endpoint: '" + endpoint + "', but it must be an address such as https://s3.example.com");
      }
    }

    /**
     * Returns options for a whole bucket, with the region and credentials of the environment.
     *
     * @param bucket the name of an existing bucket
     * @return the options
     */
    public static Options of(String bucket) {
      return new Options(bucket, "", null, null, false, null);
    }

    /**
     * Keeps the objects under a prefix, so that several archives share a bucket.
     *
     * @param text the start of all keys, without slashes at its ends
     * @return new options
     */
    public Options prefix(String text) {
      return new Options(bucket, text, region, endpoint, pathStyle, credentials);
    }

    /**
     * Sets the region.
     *
     * @param name such as {@code eu-central-1}
     * @return new options
     */
    public Options region(String name) {
      return new Options(bucket, prefix, requireNonNull(name, "name"), endpoint, pathStyle, credentials);
    }

    /**
     * Uses another server than Amazon's, with the bucket in the path, and with the region {@code us-east-1} if none is
     * set.
     *
     * @param address such as {@code https://minio.example.com:9000}
     * @return new options
     */
    public Options endpoint(URI address) {
      return new Options(bucket, prefix, region, requireNonNull(address, "address"), true, credentials);
    }

    /**
     * Sets where requests name the bucket.
     *
     * @param inPath true for the path, false for the host name
     * @return new options
     */
    public Options pathStyle(boolean inPath) {
      return new Options(bucket, prefix, region, endpoint, inPath, credentials);
    }

    /**
     * Sets the credentials.
     *
     * @param provider <em>shared</em> with the store
     * @return new options
     */
    public Options credentials(AwsCredentialsProvider provider) {
      return new Options(bucket, prefix, region, endpoint, pathStyle, requireNonNull(provider, "provider"));
    }
  }

  private final S3Client client;
  private final boolean ownsClient;
  private final String bucket;
  private final String prefix; // the prefix of keys; ends with a slash unless it is empty
  private final S3Failures failures;
  private final S3Upload upload;
  private volatile boolean isConditional; // the server was seen to refuse a second put

  private S3Store(S3Client client, boolean ownsClient, String bucket, String prefix) {
    this.client = client;
    this.ownsClient = ownsClient;
    this.bucket = bucket;
    this.prefix = prefix.isEmpty() ? "" : prefix + "/";
    this.failures = new S3Failures(this);
    this.upload = new S3Upload(client, bucket, this.prefix);
  }

  /**
   * Opens a store. Sends no request: a wrong bucket or missing permission fails the first use.
   *
   * @param options where objects are kept
   * @return the store, which the caller <em>owns</em> and must close
   * @throws IOException if no region is set and the environment has none
   */
  public static S3Store open(Options options) throws IOException {
    return open(requireNonNull(options, "options"), Duration.ofSeconds(20));
  }

  static S3Store open(Options options, Duration silence) throws IOException {
    S3ClientBuilder builder = S3Client.builder();
    if (options.endpoint() != null) {
      builder.endpointOverride(options.endpoint());
    }
    if (options.region() != null) {
      builder.region(Region.of(options.region()));
    } else if (options.endpoint() != null) {
      builder.region(Region.US_EAST_1);
    }
    if (options.credentials() != null) {
      builder.credentialsProvider(options.credentials());
    }
    try {
      S3Client client =
          builder
              .forcePathStyle(options.pathStyle())
              // Bodies have a Content-MD5, which all servers check; some servers do not support the trailers that the
              // SDK uses by default.
              .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
              .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
              .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
              .httpClientBuilder(
                  UrlConnectionHttpClient.builder().connectionTimeout(Duration.ofSeconds(5)).socketTimeout(silence))
              // Few retries and short timeouts, because the archive itself repeats failed requests.
              .overrideConfiguration(
                  limits ->
                      limits
                          .retryStrategy(AwsRetryStrategy.standardRetryStrategy())
                          .apiCallTimeout(silence.multipliedBy(3)))
              .build();
      return new S3Store(client, true, options.bucket(), options.prefix());
    } catch (SdkException e) {
      throw new IOException("the region of bucket " + options.bucket() + " is unknown: set it, or AWS_REGION", e);
    }
  }

  /**
   * Opens a store with a client, for configurations that {@link Options} do not have. Its calls should have a time
   * limit and few retries.
   *
   * @param client <em>borrowed until</em> the close
   * @param bucket the name of an existing bucket
   * @param prefix the keys of objects begin with this text and a slash; empty for the whole bucket
   * @return the store, which the caller <em>owns</em> and must close
   */
  public static S3Store of(S3Client client, String bucket, String prefix) {
    Options checked = Options.of(bucket).prefix(prefix);
    return new S3Store(requireNonNull(client, "client"), false, checked.bucket(), checked.prefix());
  }

  private String key(String name) {
    return prefix + Names.require(name);
  }

  @Override
  public boolean putIfAbsent(String name, Content content) throws IOException {
    String key = key(name);
    boolean isLarge = content.size() > S3Upload.PART;
    if (isLarge && exists(key)) {
      return false;
    }
    try {
      return isLarge ? upload.inParts(key, content) : put(key, content);
    } catch (S3Exception e) {
      boolean isRefused = e.statusCode() == CONDITION_FAILED;
      if (isRefused || e instanceof NoSuchUploadException && exists(key)) { // an earlier try completed the upload
        return false;
      }
      throw failures.of("put", name, e);
    } catch (SdkException e) {
      IOException failure = failures.of("put", name, e);
      if (isTaken(key, failure)) {
        return false;
      }
      throw failure;
    }
  }

  private boolean put(String key, Content content) throws IOException {
    byte[] bytes = S3Upload.read(content);
    upload.whole(key, bytes);
    if (!isConditional) {
      try {
        upload.whole(key, bytes);
      } catch (S3Exception e) {
        isConditional = e.statusCode() == CONDITION_FAILED;
        if (isConditional) {
          return true;
        }
        throw e;
      }
      throw new IOException(
          this + " replaces objects in spite of If-None-Match, so two writers would spoil the archive: use a"
              + " server with conditional writes");
    }
    return true;
  }

  /** Returns whether an object exists after a put without a response: a server may refuse by closing a connection. */
  private boolean isTaken(String key, IOException failure) {
    try {
      return !(failure instanceof InterruptedIOException) && exists(key);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  private boolean exists(String key) throws IOException {
    return size(key) >= 0;
  }

  /** Returns the size of an object; -1 if the object does not exist. */
  private long size(String key) throws IOException {
    try {
      Long length = client.headObject(request -> request.bucket(bucket).key(key)).contentLength();
      return length == null ? 0 : length;
    } catch (NoSuchKeyException e) {
      return -1;
    } catch (SdkException e) {
      throw failures.of("find", key, e);
    }
  }

  @Override
  public InputStream get(String name, long from) throws IOException {
    if (from < 0) {
      throw new IllegalArgumentException("from: " + from + " is below zero");
    }
    String key = key(name);
    GetObjectRequest.Builder request = GetObjectRequest.builder().bucket(bucket).key(key);
    if (from > 0) {
      request.range("bytes=" + from + "-");
    }
    try {
      return new S3Stream(client.getObject(request.build()), name);
    } catch (NoSuchKeyException e) {
      return null;
    } catch (S3Exception e) {
      if (e.statusCode() != RANGE_NOT_SATISFIABLE) {
        throw failures.of("get", name, e);
      }
      long size = size(key);
      if (from > size) {
        throw new EOFException(name + " has " + size + " bytes, and is read from " + from);
      }
      return InputStream.nullInputStream();
    } catch (SdkException e) {
      throw failures.of("get", name, e);
    }
  }

  @Override
  public List<Item> list(String prefixOfNames, String after, int most) throws IOException {
    Names.requirePrefix(prefixOfNames);
    Names.requirePrefix(after);
    if (most < 1) {
      throw new IllegalArgumentException("most: " + most + ", but it must be at least 1");
    }
    List<Item> items = new ArrayList<>();
    ListObjectsV2Request.Builder request = ListObjectsV2Request.builder().bucket(bucket).prefix(prefix + prefixOfNames);
    if (!after.isEmpty()) {
      request.startAfter(prefix + after);
    }
    try {
      boolean isCut = true;
      while (isCut && items.size() < most) {
        ListObjectsV2Response page =
            client.listObjectsV2(request.maxKeys(Math.min(most - items.size(), MOST_LISTED)).build());
        page.contents().stream().filter(each -> !each.key().endsWith("/")).map(this::item).forEach(items::add);
        isCut = page.isTruncated() && page.nextContinuationToken() != null;
        request.continuationToken(page.nextContinuationToken());
      }
    } catch (SdkException e) {
      throw failures.of("list", prefixOfNames, e);
    }
    return items;
  }

  private Item item(S3Object object) {
    return new Item(object.key().substring(prefix.length()), object.size());
  }

  @Override
  public void delete(String name) throws IOException {
    String key = key(name);
    try {
      client.deleteObject(request -> request.bucket(bucket).key(key));
    } catch (NoSuchKeyException e) {
      return;
    } catch (SdkException e) {
      throw failures.of("delete", name, e);
    }
  }

  @Override
  public void close() {
    if (ownsClient) {
      client.close();
    }
  }

  void deleteAbandoned(Instant before) {
    upload.deleteAbandoned(before);
  }

  String bucket() {
    return bucket;
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix;
  }
}
