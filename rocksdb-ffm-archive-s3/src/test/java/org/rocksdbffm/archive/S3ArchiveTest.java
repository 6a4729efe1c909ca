/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.archive.s3.S3Server;
import org.rocksdbffm.archive.s3.S3Store;
import org.rocksdbffm.archive.s3.Wire;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Tests archives in a bucket: restored states equal a model, a replaced writer stops, and archiving survives failures
 * of the server.
 */
class S3ArchiveTest {
  private static final int STEPS = 150;
  private static final int CHUNKS_TO_A_CUT = 40;

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

  private static void put(RocksDb db, String key, String value) {
    db.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private String restored(Archive archive, String name, String key) throws Exception {
    archive.restore(folder.resolve(name), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve(name))) {
      byte[] value = db.get(key.getBytes(UTF_8));
      return value == null ? null : new String(value, UTF_8);
    }
  }

  @Test
  void eachRestoredStateEqualsTheModelThoughConnectionsAreCut() throws Exception {
    Workload workload = new Workload(1);
    Random random = new Random(1);
    AtomicInteger cuts = new AtomicInteger();
    try (Wire wire = new Wire(server.port());
        S3Store store = S3Server.store(wire.port(), Duration.ofSeconds(20));
        S3Store direct = server.store()) {
      wire.rule((isRequest, total) -> {
        synchronized (random) {
          boolean passes = random.nextInt(CHUNKS_TO_A_CUT) > 0;
          cuts.addAndGet(passes ? 0 : 1);
          return passes;
        }
      });
      Archive archive = Archive.in(store);
      try (RocksDb db = workload.open(folder.resolve("db"));
          Archiver archiver = archive.start(db, Await.FAST)) {
        for (int step = 1; step <= STEPS; step++) {
          workload.run(db, step, folder);
        }
        Await.archived(db, archiver);
      }
      assertTrue(cuts.get() > 0);
      assertEquals(List.of(), Archive.in(direct).verify().damages());
      Archive.Contents contents = Archive.in(direct).list();
      long from = contents.bases().getLast().sequence();
      for (Target target :
          List.of(Target.newest(), Target.time(contents.newest()), Target.sequence((from + contents.sequence()) / 2))) {
        Path restored = folder.resolve("restored " + target.getClass().getSimpleName());
        archive.restore(restored, target);
        try (RocksDb db = workload.open(restored)) {
          workload.check(db, target.toString());
        }
      }
    }
  }

  @Test
  void aWriterThatWasReplacedStopsAndSpoilsNothing() throws Exception {
    try (S3Store oldStore = server.store();
        S3Store newStore = server.store()) {
      Archive newArchive = Archive.in(newStore);
      try (RocksDb old = RocksDb.open(folder.resolve("old"));
          Archiver oldArchiver = Archive.in(oldStore).start(old, Await.FAST)) {
        put(old, "key", "old");
        Await.archived(old, oldArchiver);
        newArchive.restore(folder.resolve("new"), Target.newest());
        try (RocksDb replacement = RocksDb.open(folder.resolve("new"));
            Archiver archiver = newArchive.start(replacement, Await.FAST)) {
          put(replacement, "key", "new");
          Await.archived(replacement, archiver);
          put(old, "key", "zombie");
          Await.until("fenced", () -> oldArchiver.status().phase() == Archiver.Phase.FENCED);
          put(replacement, "other", "new");
          Await.archived(replacement, archiver);
        }
      }
      assertEquals("new", restored(newArchive, "restored", "key"));
      assertEquals(List.of(), newArchive.verify().damages());
    }
  }

  @Test
  void writesWhileTheServerIsDownAreArchivedWhenItIsBack() throws Exception {
    try (S3Store store = server.store()) {
      Archive archive = Archive.in(store);
      try (RocksDb db = RocksDb.open(folder.resolve("db"));
          Archiver archiver = archive.start(db, Await.FAST)) {
        put(db, "key", "before");
        Await.archived(db, archiver);
        server.stop();
        put(db, "key", "while it is down");
        Await.until(
            () -> "refused: " + archiver.status(), () -> archiver.status().problem().contains("Connection refused"));
        assertEquals(Archiver.Phase.FAILING, archiver.status().phase());
        server.start();
        Await.archived(db, archiver);
      }
      assertEquals("while it is down", restored(archive, "restored", "key"));
    }
  }

  /** Counts requests; a repetition by the SDK counts no more. */
  private static final class Counter implements ExecutionInterceptor {
    private final AtomicInteger requests = new AtomicInteger();

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      requests.incrementAndGet();
    }
  }

  private S3Client client(Counter counter) {
    return S3Client.builder()
        .endpointOverride(URI.create("http://127.0.0.1:" + server.port()))
        .region(Region.US_EAST_1)
        .credentialsProvider(S3Server.credentials(S3Server.SECRET))
        .overrideConfiguration(all -> all.addExecutionInterceptor(counter))
        .build();
  }

  /** The command of docs/archive-s3.md: {@code -Drocksdbffm.archive.tables=1000} uploads more. */
  @Test
  void aBaseHasARequestForEachFileAndEachPart() throws Exception {
    int tables = Integer.getInteger("rocksdbffm.archive.tables", 20);
    Counter counter = new Counter();
    Random random = new Random(1);
    byte[] value = new byte[1000];
    FamilyOptions options = FamilyOptions.defaults().disableAutoCompactions(true);
    try (S3Client client = client(counter);
        S3Store store = S3Store.of(client, S3Server.BUCKET, "orders");
        RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open()) {
      int rows = 0;
      for (int table = 0; table < tables; table++) {
        for (int row = table == 0 ? 12_000 : 100; row > 0; row--) { // the first file has two parts
          random.nextBytes(value);
          db.put(String.format("%010d", rows++).getBytes(UTF_8), value);
        }
        db.flush();
      }
      try (Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
        Await.archived(db, archiver);
      }
      int files = Archive.in(store).list().bases().getFirst().files();
      int before = counter.requests.get();
      String found = tables + " tables, " + files + " files: " + before + " requests";
      System.out.println(found);
      assertTrue(files >= tables, found);
      assertTrue(before <= files + 25, found); // parts, the newest entry's search, entries, this list
      store.putIfAbsent("small", new Bytes(new byte[1]));
      assertEquals(1, counter.requests.get() - before);
      store.putIfAbsent("large", new Bytes(new byte[20 << 20]));
      assertEquals(1 + 1 + 1 + 3 + 1, counter.requests.get() - before); // exists, start, three parts, completion
    }
  }

  @Test
  void theProgramOfThePagePrintsItsText() throws Exception {
    String page = Files.readString(Path.of("../docs/archive-s3.md"));
    Path program = Files.writeString(folder.resolve("Orders.java"), block(page, "java"));
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("AWS_ACCESS_KEY_ID", S3Server.IDENTITY);
    builder.environment().put("AWS_SECRET_ACCESS_KEY", S3Server.SECRET);
    builder.environment().put("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:" + server.port());
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(2, TimeUnit.MINUTES), () -> "it still runs");
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertEquals(block(page, "text"), Files.readString(output));
  }

  private static String block(String page, String language) {
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertTrue(block.find(), language);
    return block.group(1);
  }
}
