/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.internal.watch.OpenStatistics;

/** Tests how often a reading of metrics calls the engine, and its results for many families and a closed database. */
class ReadingTest {
  private final List<String> questions = new ArrayList<>();
  private int calls;
  private boolean isClosed;

  @Test
  void aScrapeAsksOncePerFamilyAndLessThanItHasMetrics() {
    Reading reading = new Reading(database(4), 20);
    int known = 0;
    for (int scrape = 0; scrape < 2; scrape++) {
      known = 0;
      for (Map<String, String> part : reading.parts()) {
        for (int i = 0; i < Metric.ALL.size(); i++) {
          known += Double.isNaN(reading.value(part, i)) ? 0 : 1;
        }
      }
    }
    assertTrue(known >= 250, "metrics: " + known);
    assertEquals(5, calls, "one for the database, and one for each family");
    assertTrue(questions.size() <= 180, "questions: " + questions.size());
  }

  @Test
  void familiesBeyondTheLimitAreAddedUp() {
    Reading reading = new Reading(database(100), 20);
    assertEquals(22, reading.parts().size());
    assertTrue(reading.parts().containsAll(List.of(Reading.DATABASE, Reading.OTHERS)));
    int keys = index("keys.estimate");
    int cache = index("block_cache.used");
    assertEquals(7, reading.value(Map.of("family", "family 3"), keys));
    assertEquals(2, reading.value(Map.of("family", "family 3"), index("level.files") + 1));
    assertEquals(Double.NaN, reading.value(Map.of("family", "family 3"), index("level.files") + 2));
    assertEquals(4, reading.value(Map.of("family", "family 3"), index("stall.conditions") + 1));
    assertEquals(80 * 7, reading.value(Reading.OTHERS, index("stall.conditions") + 2));
    assertEquals(80 * 7, reading.value(Reading.OTHERS, keys));
    assertEquals(7, reading.value(Reading.OTHERS, cache), "a cache that all share");
  }

  @Test
  void aClosedDatabaseKeepsItsCountersAndNothingElse() {
    Reading reading = new Reading(database(1), 20);
    Series failures = series(reading, Reading.DATABASE, "background.failures");
    Series stalls = series(reading, Map.of("family", "family 0"), "stall.conditions");
    Series keys = series(reading, Map.of("family", "family 0"), "keys.estimate");
    assertEquals(List.of(7.0, 7.0), List.of(failures.value(), keys.value()));
    assertTrue(stalls.value() >= 0);
    isClosed = true;
    reading.expire();
    assertEquals(Set.of(), reading.parts());
    assertEquals(List.of(7.0, Double.NaN), List.of(failures.value(), keys.value()));
    assertTrue(stalls.value() >= 0);
    isClosed = false; // the failure of one reading does not mean that the database is closed
    reading.expire();
    assertEquals(7, keys.value());
    isClosed = true;
    assertEquals(Double.NaN, series(new Reading(database(1), 20), Reading.DATABASE, "background.failures").value());
  }

  private static Series series(Reading reading, Map<String, String> part, String name) {
    return new Series(Metric.ALL.get(index(name)), part, () -> reading.value(part, index(name)));
  }

  private static int index(String name) {
    return Metric.ALL.stream().map(Metric::name).toList().indexOf(name);
  }

  /** Returns a database in which each property is 7. */
  private OpenDatabase database(int families) {
    return new OpenDatabase() {
      @Override
      public String path() {
        return "/path";
      }

      @Override
      public List<Family> families() {
        if (isClosed) {
          throw new IllegalStateException("database /path is closed");
        }
        return IntStream.range(0, families).mapToObj(i -> family("family " + i)).toList();
      }

      @Override
      public double[] statistics(int[] tickers, int[] histograms) {
        return new double[tickers.length + OpenStatistics.PARTS * histograms.length];
      }

      @Override
      public boolean isUsedBy(long handle) {
        return false;
      }

      @Override
      public String familyUsedBy(long handle) {
        return null;
      }
    };
  }

  private OpenDatabase.Family family(String name) {
    return new OpenDatabase.Family() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Map<String, String> properties(Collection<String> names) {
        calls++;
        questions.addAll(names);
        return names.stream().collect(Collectors.toMap(each -> each, ReadingTest::answer));
      }
    };
  }

  private static String answer(String property) {
    return switch (property) {
      case "rocksdb.num-files-at-level1" -> "2";
      case "rocksdb.num-files-at-level2" -> "";
      case "rocksdb.cf-write-stall-stats" ->
          "Write Stall (count): cf-l0-file-count-limit-delays-with-ongoing-compaction: 1, "
              + "l0-file-count-limit-delays: 7,"
              + " memtable-limit-delays: 3, memtable-limit-stops: 4, total-stops: 4\n";
      default -> "7";
    };
  }
}
