/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.archive.Archive;
import org.rocksdbffm.archive.Archiver;
import org.rocksdbffm.archive.FolderStore;
import org.rocksdbffm.archive.ObjectStore;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;

/** Scrapes Micrometer's registry for Prometheus over HTTP, with databases of the core and of the drop-in. */
class ScrapeTest {
  @TempDir Path folder;

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/metrics", exchange -> {
      byte[] text = registry.scrape().getBytes();
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text);
      exchange.close();
    });
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  private String scrape() {
    try {
      URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/metrics");
      var response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      assertEquals(200, response.statusCode());
      return response.body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static double value(String scraped, String series) {
    MatchResult found =
        Pattern.compile("(?m)^" + Pattern.quote(series) + " (.*)$").matcher(scraped).results().findFirst().orElse(null);
    return found == null ? Double.NaN : Double.parseDouble(found.group(1));
  }

  private RocksDb openCounted(String name) {
    DatabaseOptions counting = DatabaseOptions.defaults().statistics(StatisticsLevel.TIMERS);
    return RocksDb.at(folder.resolve(name)).options(counting).open();
  }

  @Test
  void underLoadEachScrapeHasTheMetricsOfItsMoment() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (RocksDb db = openCounted("db"); RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(registry);
      Thread writer = Thread.ofPlatform().start(() -> {
        try {
          for (long i = 0; !ends.get(); i++) {
            db.put(ByteBuffer.allocate(8).putLong(0, i).array(), new byte[100]);
            db.get(ByteBuffer.allocate(8).putLong(0, i / 2).array());
          }
        } catch (Throwable e) {
          failure.set(e);
        }
      });
      String written = "rocksdb_keys_written_total{database=\"" + folder.resolve("db") + "\"}";
      double before = 0;
      for (int i = 0; i < 20; i++) {
        double[] now = new double[1];
        double last = before;
        Wait.until("more keys", () -> (now[0] = value(scrape(), written)) > last);
        before = now[0];
      }
      ends.set(true);
      writer.join();
      assertEquals(null, failure.get());
      db.flush();
      long all = db.metrics().statistics().count(Ticker.NUMBER_KEYS_WRITTEN);
      Wait.until("all keys", () -> value(scrape(), written) == all);
      String scraped = scrape();
      String tags = "{database=\"" + folder.resolve("db") + "\",family=\"default\"";
      assertTrue(value(scraped, "rocksdb_sst_size_bytes" + tags + "}") > 0, scraped);
      assertTrue(value(scraped, "rocksdb_level_files" + tags + ",level=\"0\"}") >= 1, scraped);
      String get = "rocksdb_get_duration_percentile_seconds" + tags.replace("family=\"default\"", "percentile=\"99\"}");
      assertTrue(value(scraped, get) > 0 && value(scraped, get) < 60, scraped);
      Promtool.check(Files.writeString(folder.resolve("scraped"), scraped), "metrics");
    }
  }

  @Test
  void databasesOfTheDropInHaveMetricsThatWereOpenAndThatAreOpenedLater() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB first = RocksDB.open(options, folder.resolve("first").toString());
        RocksDbMetrics metrics = new RocksDbMetrics()) {
      first.put("a".getBytes(), "b".getBytes());
      metrics.bindTo(registry);
      String ofFirst = "rocksdb_keys_estimate{database=\"" + folder.resolve("first") + "\",family=\"default\"}";
      assertEquals(1, value(scrape(), ofFirst));
      try (RocksDB second = RocksDB.open(options, folder.resolve("second").toString());
          ColumnFamilyHandle users = second.createColumnFamily(new ColumnFamilyDescriptor("users".getBytes()));
          org.rocksdb.FlushOptions flush = new org.rocksdb.FlushOptions()) {
        second.put(users, "a".getBytes(), "b".getBytes());
        second.put(users, "c".getBytes(), "d".getBytes());
        second.flush(flush, users);
        String keys = "rocksdb_keys_estimate{database=\"" + folder.resolve("second") + "\",family=\"users\"}";
        Wait.until("the second one's metrics", () -> value(scrape(), keys) == 2);
        assertTrue(value(scrape(), "rocksdb_objects_open{kind=\"ColumnFamilyHandle\"}") >= 1);
      }
      Wait.until("their end", () -> !scrape().contains("/second"));
      assertTrue(scrape().contains("/first"));
    }
    assertEquals("", scrape());
  }

  @Test
  void databasesAreClosedDuringScrapes() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (RocksDbMetrics metrics = new RocksDbMetrics(); Options options = new Options().setCreateIfMissing(true)) {
      metrics.bindTo(registry);
      Thread scraper = Thread.ofPlatform().start(() -> {
        try {
          while (!ends.get()) {
            scrape();
          }
        } catch (Throwable e) {
          failure.set(e);
        }
      });
      for (int i = 0; i < 8; i++) {
        String name = "db " + i % 2;
        try (RocksDb db = openCounted(name);
            RocksDB dropIn = RocksDB.open(options, folder.resolve("drop-in " + i).toString())) {
          dropIn.put("a".getBytes(), "b".getBytes());
          db.put("a".getBytes(), "b".getBytes());
          Wait.until(
              "metrics", () -> registry.scrape().contains(dropIn.getName()) && registry.scrape().contains("/" + name));
        }
      }
      Wait.until("their end", () -> !scrape().contains("database="));
      ends.set(true);
      scraper.join();
      assertEquals(null, failure.get());
    }
  }

  @Test
  void aHundredFamiliesHaveTheMetricsOfTwentyAndTheSumOfTheOthers() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("many")); RocksDbMetrics metrics = new RocksDbMetrics()) {
      for (int i = 0; i < 99; i++) {
        db.createFamily("family " + i, FamilyOptions.defaults()).put("a".getBytes(), "b".getBytes());
      }
      metrics.bindTo(registry);
      String scraped = scrape();
      String tags = "{database=\"" + folder.resolve("many") + "\",family=\"";
      assertEquals(80, value(scraped, "rocksdb_keys_estimate" + tags + "(others)\"}"), scraped);
      assertEquals(21, scraped.lines().filter(line -> line.startsWith("rocksdb_keys_estimate{")).count(), scraped);
      assertTrue(scraped.lines().noneMatch(line -> line.contains("(others)") && line.contains("_total")), scraped);
    }
  }

  @Test
  void eventsAndForgottenObjectsAreCountedWhereNobodyRecords() throws Exception {
    try (RocksDbMetrics metrics = new RocksDbMetrics(); TransactionDb db = TransactionDb.open(folder.resolve("db"))) {
      metrics.bindTo(registry);
      String conflicts = "rocksdb_events_raised_total{kind=\"TransactionConflict\"}";
      double before = value(scrape(), conflicts);
      TransactionOptions impatient = TransactionOptions.defaults().lockTimeout(Duration.ofMillis(1));
      try (Transaction one = db.begin(); Transaction other = db.begin(impatient)) {
        one.put("a".getBytes(), "b".getBytes());
        assertThrows(RocksDbException.class, () -> other.put("a".getBytes(), "c".getBytes()));
      }
      assertEquals(before + 1, value(scrape(), conflicts));
      double forgotten = forgottenCursors();
      db.cursor().first();
      Wait.until("a forgotten cursor", () -> {
        System.gc();
        return forgottenCursors() > forgotten; // another test's cursor may be collected now, too
      });
      assertTrue(value(scrape(), "rocksdb_events_raised_total{kind=\"Leak\"}") >= 1);
      assertTrue(value(scrape(), "rocksdb_events_raised_total{kind=\"DatabaseOpened\"}") >= 1);
      assertEquals(0, value(scrape(), "rocksdb_events_raised_total{kind=\"SlowOperation\"}"));
    }
  }

  /** Counts the cursors of all tests in this JVM; there is no series before the first. */
  private double forgottenCursors() {
    double counted = value(scrape(), "rocksdb_objects_forgotten_total{kind=\"cursor\"}");
    return Double.isNaN(counted) ? 0 : counted;
  }

  @Test
  void eachQueryOfTheDashboardAndTheAlertsNamesAScrapedSeries() throws Exception {
    String queries = Files.readString(Path.of("dashboard.json")) + Files.readString(Path.of("alerts.yml"));
    Set<String> queried = names("rocksdb_[a-z0-9_]+", queries);
    assertTrue(queried.size() > 150, queried.toString());
    FamilyOptions blobs = FamilyOptions.defaults().enableBlobFiles(true);
    DatabaseOptions counting = DatabaseOptions.defaults().statistics(StatisticsLevel.TIMERS);
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(1));
        RocksDb db = RocksDb.at(folder.resolve("db")).options(counting).defaults(blobs.blobCache(cache)).open();
        Archiver _ = Archive.in(FolderStore.open(folder.resolve("store"))).start(db);
        RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(registry);
      db.cursor().first(); // a leaked cursor
      String opened = "rocksdb_iterators_opened_total{database=\"" + folder.resolve("db") + "\"}";
      Wait.until("an iterator that is opened and forgotten", () -> {
        System.gc();
        return value(scrape(), opened) >= 1 && scrape().contains("rocksdb_objects_forgotten_total");
      });
      Set<String> missing = new TreeSet<>(queried);
      missing.removeAll(names("(?m)^rocksdb_[a-z0-9_]+", scrape()));
      assertEquals(Set.of(), missing, "a panel of these is empty");
    }
  }

  private static Set<String> names(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void stallsAreCountedByCause() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db")); RocksDbMetrics metrics = new RocksDbMetrics()) {
      db.setOptions(Map.of("level0_file_num_compaction_trigger", "2", "level0_slowdown_writes_trigger", "2"));
      for (int i = 0; i < 2; i++) {
        db.put("a".getBytes(), new byte[100]);
        db.flush(FlushOptions.defaults().allowWriteStall(true));
      }
      metrics.bindTo(registry);
      String tags = "{cause=\"%s\",database=\"" + folder.resolve("db") + "\",effect=\"delay\",family=\"default\"}";
      assertTrue(value(scrape(), "rocksdb_stall_conditions_total" + tags.formatted("level0")) >= 1, scrape());
      assertEquals(0, value(scrape(), "rocksdb_stall_conditions_total" + tags.formatted("memtables")));
      assertEquals(0, value(scrape(), "rocksdb_stall_limit_stops_total{database=\"" + folder.resolve("db") + "\"}"));
    }
  }

  /** A folder store that accepts objects only while it is not broken. */
  private record BreakableStore(FolderStore store, AtomicBoolean isBroken) implements ObjectStore {
    private FolderStore working() throws IOException {
      if (isBroken.get()) {
        throw new IOException("broken");
      }
      return store;
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      return working().putIfAbsent(name, content);
    }

    @Override
    public InputStream get(String name, long from) throws IOException {
      return working().get(name, from);
    }

    @Override
    public List<Item> list(String prefix, String after, int most) throws IOException {
      return working().list(prefix, after, most);
    }

    @Override
    public void delete(String name) throws IOException {
      working().delete(name);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Test
  void anArchiverHasSeriesFromItsStartToItsCloseAndAFailingStoreShows() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    ObjectStore store = new BreakableStore(FolderStore.open(folder.resolve("store")), isBroken);
    String tags = "{database=\"" + folder.resolve("db") + "\"}";
    try (RocksDb db = RocksDb.open(folder.resolve("db")); RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(registry);
      assertTrue(!scrape().contains("rocksdb_archive_"));
      Archiver.Options soon = Archiver.Options.defaults().closeWithin(Duration.ZERO);
      try (Archiver archiver = Archive.in(store).start(db, soon)) {
        db.put("a".getBytes(), "b".getBytes());
        Wait.until("an archived write", () -> archiver.status().sequence() == 1
            && value(scrape(), "rocksdb_archive_writes_behind" + tags) == 0);
        String scraped = scrape();
        assertEquals(0, value(scraped, "rocksdb_archive_unhealthy" + tags));
        assertEquals(0, value(scraped, "rocksdb_archive_failures_total" + tags));
        assertTrue(value(scraped, "rocksdb_archive_objects_total" + tags) >= 3, scraped);
        assertTrue(value(scraped, "rocksdb_archive_stored_size_bytes_total" + tags) > 100, scraped);
        isBroken.set(true);
        db.put("a".getBytes(), "c".getBytes());
        Wait.until("a failure", () -> value(scrape(), "rocksdb_archive_unhealthy" + tags) == 1
            && value(scrape(), "rocksdb_archive_behind_size_bytes" + tags) > 0);
        String failing = scrape();
        assertEquals(1, value(failing, "rocksdb_archive_writes_behind" + tags));
        assertTrue(value(failing, "rocksdb_archive_failures_total" + tags) >= 1, failing);
        double lag = value(failing, "rocksdb_archive_lag_seconds" + tags);
        Wait.until("a larger lag", () -> value(scrape(), "rocksdb_archive_lag_seconds" + tags) > lag + 1);
      }
      Wait.until("its end", () -> !scrape().contains("rocksdb_archive_"));
    }
  }
}
