/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** S3Proxy on a port of this machine: checks signatures, and keeps buckets in a folder. */
public final class S3Server implements AutoCloseable {
  public static final String BUCKET = "bucket";
  public static final String IDENTITY = "identity";
  public static final String SECRET = "secret";
  private static final Duration SILENCE = Duration.ofSeconds(20);

  private final Path folder;
  private final Socket reservation = new Socket(); // keeps the port while the server is stopped
  private final int port;
  private S3Proxy proxy;

  private S3Server(Path folder) throws IOException {
    this.folder = folder;
    reservation.setReuseAddress(true);
    reservation.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port = reservation.getLocalPort();
  }

  /** Starts a server with an empty bucket. */
  public static S3Server start(Path folder) throws Exception {
    Files.createDirectories(folder.resolve(BUCKET));
    S3Server server = new S3Server(folder);
    server.start();
    return server;
  }

  /** Starts it again on the same port. */
  public void start() throws Exception {
    proxy =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(folder.toString()))
            .awsAuthentication(AuthenticationType.AWS_V4, IDENTITY, SECRET)
            .endpoint(URI.create("http://127.0.0.1:" + port))
            .build();
    proxy.start();
  }

  public void stop() throws Exception {
    proxy.stop();
  }

  public int port() {
    return port;
  }

  public static S3Store.Options options(int port) {
    return S3Store.Options.of(BUCKET).endpoint(URI.create("http://127.0.0.1:" + port)).credentials(credentials(SECRET));
  }

  public static StaticCredentialsProvider credentials(String secret) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(IDENTITY, secret));
  }

  public S3Store store() throws IOException {
    return store(port, SILENCE);
  }

  /** Opens a store through another port. */
  public static S3Store store(int port, Duration silence) throws IOException {
    return S3Store.open(options(port), silence);
  }

  @Override
  public void close() {
    try (reservation) {
      stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
