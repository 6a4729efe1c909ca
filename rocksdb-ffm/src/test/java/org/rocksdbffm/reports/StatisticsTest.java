/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.reports.StatisticsText;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.internal.watch.OpenDatabases;

/** The engine's statistics are available under the engine's names, and cost nothing unless enabled. */
class StatisticsTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir
  Path folder;

  private RocksDb open(StatisticsLevel level) {
    return RocksDb.at(folder.resolve("db")).options(DatabaseOptions.defaults().statistics(level)).open();
  }

  @Test
  void writesAndReadsAreCounted() {
    try (RocksDb db = open(StatisticsLevel.ALL)) {
      Statistics before = db.metrics().statistics();
      db.put(KEY, new byte[1000]);
      db.get(KEY);
      db.get("absent".getBytes(UTF_8));
      Statistics during = db.metrics().statistics().since(before);
      assertEquals(1, during.count(Ticker.NUMBER_KEYS_WRITTEN));
      assertEquals(2, during.count(Ticker.NUMBER_KEYS_READ));
      assertEquals(2, during.distribution(Histogram.DB_GET_MICROS).count());
      assertEquals(2, during.counts().get(Ticker.NUMBER_KEYS_READ));
      assertEquals(1000, during.distribution(Histogram.BYTES_PER_READ).sum());
      assertTrue(Double.isNaN(during.distribution(Histogram.BYTES_PER_READ).p99()), "unknown for an interval");
      Distribution sizes = db.metrics().statistics().distributions().get(Histogram.BYTES_PER_READ);
      assertEquals(1000, sizes.max());
      assertEquals(500, sizes.average());
      assertTrue(during.toString().contains("rocksdb.number.keys.read 2\n"), during.toString());
    }
  }

  @Test
  void aDatabaseWithoutStatisticsSaysHowToGetThem() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      String message = assertThrows(IllegalStateException.class, () -> db.metrics().statistics()).getMessage();
      assertTrue(
          message.endsWith("counts nothing: open it with DatabaseOptions.statistics(StatisticsLevel.TICKERS) or more"),
          message);
    }
  }

  @Test
  void aClosedDatabaseHasNone() {
    RocksDb db = open(StatisticsLevel.TICKERS);
    db.close();
    assertThrows(IllegalStateException.class, () -> db.metrics().statistics());
    assertThrows(IllegalStateException.class, () -> db.metrics().memory());
  }

  @ParameterizedTest
  @EnumSource
  void eachLevelCountsAndHasTheHistogramsThatItSays(StatisticsLevel level) {
    try (RocksDb db = open(level)) {
      db.put(KEY, KEY);
      db.get(KEY);
      Statistics statistics = db.metrics().statistics();
      assertEquals(1, statistics.count(Ticker.NUMBER_KEYS_READ));
      boolean sizes = level.compareTo(StatisticsLevel.COUNTED_HISTOGRAMS) >= 0;
      boolean times = level.compareTo(StatisticsLevel.TIMERS) >= 0;
      assertEquals(sizes ? 1 : 0, statistics.distribution(Histogram.BYTES_PER_READ).count());
      assertEquals(times ? 1 : 0, statistics.distribution(Histogram.DB_GET_MICROS).count());
    }
  }

  @Test
  void twoDatabasesThatAreOpenedWithTheSameOptionsCountForThemselves() {
    DatabaseOptions options = DatabaseOptions.defaults().statistics(StatisticsLevel.TICKERS);
    try (RocksDb one = RocksDb.at(folder.resolve("one")).options(options).open();
        RocksDb other = RocksDb.at(folder.resolve("other")).options(options).open()) {
      one.put(KEY, KEY);
      assertEquals(1, one.metrics().statistics().count(Ticker.NUMBER_KEYS_WRITTEN));
      assertEquals(0, other.metrics().statistics().count(Ticker.NUMBER_KEYS_WRITTEN));
    }
  }

  @Test
  void familiesCountTogether() {
    try (RocksDb db = open(StatisticsLevel.TICKERS)) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      family.put(KEY, KEY);
      assertEquals(1, db.metrics().statistics().count(Ticker.NUMBER_KEYS_WRITTEN));
    }
  }

  @Test
  void whatCWritesInALanguageWithACommaIsRead() {
    StatisticsText.Line line =
        StatisticsText.parse("rocksdb.x P50 : 1,500000 P95 : 2.5 P99 : 3,0 P100 : 4,0 COUNT : 5 SUM : 6")
            .histogram("rocksdb.x");
    assertEquals(new StatisticsText.Line(1.5, 2.5, 3, 4, 5, 6), line);
  }

  @Test
  void whatIsReadByNumberIsWhatTheEnginesTextSays() {
    try (RocksDb db = open(StatisticsLevel.ALL)) {
      db.put(KEY, new byte[1000]);
      db.flush();
      db.get(KEY);
      OpenDatabase open =
          OpenDatabases.all().stream().filter(database -> database.path().equals(folder + "/db")).findFirst()
              .orElseThrow();
      Statistics text = db.metrics().statistics();
      int[] tickers = IntStream.range(0, Ticker.values().length).toArray();
      int[] histograms = IntStream.range(0, Histogram.values().length).toArray();
      Iterator<Double> read = DoubleStream.of(open.statistics(tickers, histograms)).iterator();
      text.counts().forEach((ticker, count) -> assertEquals((double) count, read.next(), ticker.id()));
      text.distributions().forEach((histogram, distribution) -> {
        double[] parts =
            {distribution.median(), distribution.p95(), distribution.p99(), distribution.max(), distribution.sum(),
                distribution.count()};
        for (double part : parts) {
          assertEquals(part, read.next(), 1e-6, histogram.id()); // the text has six digits
        }
      });
      assertFalse(read.hasNext());
    }
  }

  @Test
  void theEnumsHaveTheEnginesNames() {
    try (RocksDb db = open(StatisticsLevel.ALL)) {
      String text = db.metrics().property("rocksdb.options-statistics");
      List<String> tickers = new ArrayList<>();
      List<String> histograms = new ArrayList<>();
      text.lines()
          .forEach(line -> (line.contains(" P50 ") ? histograms : tickers).add(line.substring(0, line.indexOf(' '))));
      assertEquals(tickers, Stream.of(Ticker.values()).map(Ticker::id).toList());
      assertEquals(histograms, Stream.of(Histogram.values()).map(Histogram::id).toList());
    }
  }
}
