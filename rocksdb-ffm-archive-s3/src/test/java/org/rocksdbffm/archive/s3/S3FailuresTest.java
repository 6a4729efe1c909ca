/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.archive.ObjectStore;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Tests cut connections, servers that refuse requests, and the remedies in the messages. */
class S3FailuresTest {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private S3Server server;

  @BeforeEach
  void start() throws Exception {
    server = S3Server.start(folder.resolve("server"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ObjectStore.Content content(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return new ObjectStore.Content() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes);
      }
    };
  }

  private static byte[] read(ObjectStore store, String name) throws IOException {
    try (InputStream in = store.get(name, 0)) {
      return in.readAllBytes();
    }
  }

  private List<String> uploads() throws Exception {
    try (S3Client client =
        S3Client.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + server.port()))
            .region(Region.US_EAST_1)
            .credentialsProvider(S3Server.credentials(S3Server.SECRET))
            .build()) {
      return client.listMultipartUploads(request -> request.bucket(S3Server.BUCKET)).uploads().stream()
          .map(each -> each.key())
          .toList();
    }
  }

  @Test
  void aPutWhoseResponseIsLostIsStoredAndNotTakenForANewOne() throws Exception {
    try (Wire wire = new Wire(server.port());
        S3Store store = S3Server.store(wire.port(), LONG)) {
      assertTrue(store.putIfAbsent("first", content(1)));
      AtomicBoolean isLost = new AtomicBoolean();
      Path stored = folder.resolve("server").resolve(S3Server.BUCKET).resolve("lost");
      // Bytes of an earlier response may still be on their way.
      wire.rule((isRequest, total) -> isRequest || !Files.exists(stored) || isLost.getAndSet(true));
      assertFalse(store.putIfAbsent("lost", content(1000)));
      assertTrue(isLost.get());
      assertArrayEquals(read(store, "lost"), content(1000).open().readAllBytes());
    }
  }

  @Test
  void anUploadThatIsCutHalfwayLeavesNothingAndIsRepeated() throws Exception {
    int size = 3 * S3Upload.PART;
    try (Wire wire = new Wire(server.port());
        S3Store store = S3Server.store(wire.port(), LONG)) {
      assertTrue(store.putIfAbsent("first", content(1)));
      wire.rule((isRequest, total) -> total < S3Upload.PART / 2);
      assertThrows(IOException.class, () -> store.putIfAbsent("files/large", content(size)));
      assertNull(store.get("files/large", 0));
      assertEquals(List.of(), store.list("files/", "", 10));
      assertEquals(List.of(), uploads());
      wire.rule((isRequest, total) -> true);
      assertTrue(store.putIfAbsent("files/large", content(size)));
      assertArrayEquals(content(size).open().readAllBytes(), read(store, "files/large"));
    }
  }

  @Test
  void aKilledUploadLeavesPartsThatAreDeletedLater() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledUpload.class.getName(),
                Integer.toString(server.port()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(2, TimeUnit.MINUTES));
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertEquals(KilledUpload.CODE, process.exitValue(), () -> text(output));
    try (S3Store store = server.store()) {
      assertNull(store.get(KilledUpload.NAME, 0));
      assertEquals(List.of(), store.list("", "", 10));
      assertEquals(List.of(KilledUpload.NAME), uploads());
      assertTrue(store.putIfAbsent(KilledUpload.NAME, content(S3Upload.PART + 1)));
      assertEquals(List.of(KilledUpload.NAME), uploads()); // the upload is younger than a day
      store.deleteAbandoned(Instant.now().plusSeconds(60));
      assertEquals(List.of(), uploads());
      assertEquals(1, store.list("", "", 10).size());
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Opens the stream of an object again until the response arrives within the time limit of the store. */
  private static InputStream opened(ObjectStore store) {
    while (true) {
      try {
        return store.get("object", 0);
      } catch (IOException isLate) {
        assertFalse(isLate instanceof InterruptedIOException, isLate::toString);
      }
    }
  }

  @Test
  void aStreamThatIsCutOrSilentFailsAndIsNotTakenForTheEndOrAStop() throws Exception {
    int size = 2 << 20;
    CountDownLatch isOver = new CountDownLatch(1);
    try (Wire wire = new Wire(server.port());
        S3Store store = S3Server.store(wire.port(), SHORT);
        S3Store direct = server.store()) {
      assertTrue(direct.putIfAbsent("object", content(size)));
      wire.rule((isRequest, total) -> isRequest || total < size / 2);
      try (InputStream in = opened(store)) {
        IOException cut = assertThrows(IOException.class, in::readAllBytes);
        assertFalse(cut instanceof EOFException, cut::toString);
      }
      wire.rule((isRequest, total) -> {
        if (!isRequest && total > size / 2) {
          isOver.await();
        }
        return true;
      });
      try (InputStream in = opened(store)) {
        IOException silent = assertThrows(IOException.class, in::readAllBytes);
        assertFalse(silent instanceof InterruptedIOException, silent::toString);
      }
      wire.rule((isRequest, total) -> {
        isOver.await();
        return true;
      });
      IOException none = assertThrows(IOException.class, () -> store.get("object", 0));
      assertFalse(none instanceof InterruptedIOException, none::toString);
      assertFalse(Thread.currentThread().isInterrupted());
    } finally {
      isOver.countDown();
    }
  }

  @Test
  void anInterruptStopsALargeUpload() throws Exception {
    try (S3Store store = server.store()) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, () -> store.putIfAbsent("large", content(S3Upload.PART + 1)));
      assertTrue(Thread.interrupted());
      assertNull(store.get("large", 0));
    }
  }

  @Test
  void aServerThatIgnoresTheConditionIsRefused() throws Exception {
    ExecutionInterceptor forgetful = new ExecutionInterceptor() {
      @Override
      public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
        return context.httpRequest().toBuilder().removeHeader("If-None-Match").build();
      }
    };
    try (S3Client client =
            S3Client.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + server.port()))
                .region(Region.US_EAST_1)
                .credentialsProvider(S3Server.credentials(S3Server.SECRET))
                .overrideConfiguration(all -> all.addExecutionInterceptor(forgetful))
                .build();
        S3Store store = S3Store.of(client, S3Server.BUCKET, "")) {
      IOException e = assertThrows(IOException.class, () -> store.putIfAbsent("one", content(1)));
      assertEquals(
          "s3://bucket/ replaces objects in spite of If-None-Match, so two writers would spoil the archive: use a"
              + " server with conditional writes",
          e.getMessage());
    }
  }

  @Test
  void aMissingBucketAndWrongCredentialsAreNamed() throws Exception {
    S3Store.Options wrong = S3Server.options(server.port());
    S3Store.Options none = new S3Store.Options("none", "", null, wrong.endpoint(), true, wrong.credentials());
    try (S3Store store = S3Store.open(none)) {
      String advice = " in s3://none/: there is no bucket none: create it, or correct its name or the endpoint";
      assertEquals("cannot put one" + advice, failure(() -> store.putIfAbsent("one", content(1))));
      assertEquals("cannot put one" + advice, failure(() -> store.putIfAbsent("one", content(S3Upload.PART + 1))));
      assertEquals("cannot get one" + advice, failure(() -> store.get("one", 0)));
      assertEquals("cannot list log/" + advice, failure(() -> store.list("log/", "", 1)));
      assertEquals("cannot list" + advice, failure(() -> store.list("", "", 1)));
    }
    try (S3Store store = S3Store.open(wrong.credentials(S3Server.credentials("another")))) {
      String advice = "cannot get one in s3://bucket/: the server does not accept the credentials: correct or renew";
      String message = failure(() -> store.get("one", 0));
      assertTrue(message.startsWith(advice), message);
    }
  }

  private interface Call {
    void run() throws IOException;
  }

  private static String failure(Call call) {
    return assertThrows(IOException.class, call::run).getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "403, RequestTimeTooSkewed, the clock of this machine is wrong by minutes",
    "403, AccessDenied, access is denied: allow s3:GetObject",
    "403, ExpiredToken, the server does not accept the credentials",
    "301, PermanentRedirect, the bucket is in another region",
    "400, AuthorizationHeaderMalformed, the bucket is in another region",
    "501, NotImplemented, the server lacks a function",
    "400, BadDigest, of the test",
  })
  void aRefusalSaysWhatToDo(int status, String code, String advice) throws Exception {
    String body = "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>of the test</Message></Error>";
    try (Refusal refusal = new Refusal(status, body);
        S3Store store = S3Server.store(refusal.port(), LONG)) {
      for (Call call : List.<Call>of(() -> store.list("", "", 1), () -> store.putIfAbsent("one", content(1)))) {
        String message = failure(call);
        assertTrue(message.contains(" in s3://bucket/: " + advice), message);
        assertTrue(message.contains("of the test"), message);
      }
    }
  }

  @Test
  void aRefusalBeforeTheBytesAreReadIsUnderstood() throws Exception {
    String body = "<?xml version=\"1.0\"?><Error><Code>PreconditionFailed</Code><Message>there</Message></Error>";
    try (Refusal refusal = new Refusal(412, body);
        S3Store store = S3Server.store(refusal.port(), LONG)) {
      assertFalse(store.putIfAbsent("one", content(S3Upload.PART)));
    }
  }

  @Test
  void aUriNamesABucketWithItsPrefixRegionAndEndpoint() throws Exception {
    S3Store.Options options = S3Provider.options(URI.create("s3://bucket/a/b%20c/?region=eu-central-1"));
    assertEquals(S3Store.Options.of("bucket").prefix("a/b c").region("eu-central-1"), options);
    assertEquals(
        S3Store.Options.of("b_1").endpoint(URI.create("http://127.0.0.1:9000")).pathStyle(false),
        S3Provider.options(URI.create("s3://b_1?path-style=false&endpoint=http%3A%2F%2F127.0.0.1:9000")));
    for (String wrong :
        List.of("s3:///a", "s3://key:secret@bucket/a", "s3://bucket/?secret=1", "s3://bucket/?endpoint=a")) {
      assertThrows(IllegalArgumentException.class, () -> S3Provider.options(URI.create(wrong)), wrong);
    }
    try (ObjectStore store = ObjectStore.at("s3://bucket/a?endpoint=http://127.0.0.1:" + server.port())) {
      assertEquals("s3://bucket/a/", store.toString());
    }
    try (Stream<Path> files = Files.list(folder.resolve("server").resolve(S3Server.BUCKET))) {
      assertEquals(0, files.count()); // no request was sent
    }
  }
}
