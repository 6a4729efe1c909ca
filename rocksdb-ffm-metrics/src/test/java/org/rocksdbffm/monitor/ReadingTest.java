/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.watch.OpenDatabase;

/** Tests how often a reading of figures asks the engine, and what it says of many families and of a closed database. */
class ReadingTest {
  private final List<String> questions = new ArrayList<>();
  private boolean isClosed;

  @Test
  void aScrapeAsksTheEngineLessThanHalfAsOftenAsItHasFigures() {
    Reading reading = new Reading(database(4), 20);
    int known = 0;
    for (int scrape = 0; scrape < 2; scrape++) {
      known = 0;
      for (String part : reading.parts()) {
        for (int i = 0; i < Figure.ALL.size(); i++) {
          known += Double.isNaN(reading.value(part, i)) ? 0 : 1;
        }
      }
    }
    assertTrue(known >= 250, "figures: " + known);
    assertTrue(questions.size() <= 125, "questions: " + questions.size());
    assertEquals(1, questions.stream().filter("rocksdb.options-statistics"::equals).count());
  }

  @Test
  void familiesBeyondTheLimitAreAddedUp() {
    Reading reading = new Reading(database(100), 20);
    List<String> parts = reading.parts();
    assertEquals(22, parts.size());
    assertEquals(Reading.DATABASE, parts.getFirst());
    assertEquals(Reading.OTHERS, parts.getLast());
    int keys = index("keys.estimate");
    int cache = index("block_cache.used");
    assertEquals(7, reading.value("family 3", keys));
    assertEquals(2, reading.value("family 3", index("level.files") + 1));
    assertEquals(Double.NaN, reading.value("family 3", index("level.files") + 2));
    assertEquals(4, reading.value("family 3", index("stall.conditions") + 1));
    assertEquals(80 * 7, reading.value(Reading.OTHERS, index("stall.conditions") + 2));
    assertEquals(80 * 7, reading.value(Reading.OTHERS, keys));
    assertEquals(7, reading.value(Reading.OTHERS, cache), "a cache that all share");
  }

  @Test
  void aClosedDatabaseKeepsItsCountersAndNothingElse() {
    Reading reading = new Reading(database(1), 20);
    assertEquals(7, reading.value(Reading.DATABASE, index("background.failures")));
    isClosed = true;
    assertEquals(List.of(), reading.parts());
    assertEquals(7, reading.value(Reading.DATABASE, index("background.failures")));
    reading.expire();
    assertEquals(7, reading.value(Reading.DATABASE, index("background.failures")));
    isClosed = false; // a question that fails in the middle of something is no close
    reading.expire();
    assertEquals(7, reading.value("family 0", index("keys.estimate")));
    isClosed = true;
    reading = new Reading(database(1), 20);
    assertEquals(Double.NaN, reading.value(Reading.DATABASE, index("background.failures")));
    assertEquals(Double.NaN, reading.value("family 0", index("keys.estimate")));
  }

  private static int index(String name) {
    return Figure.ALL.stream().map(Figure::name).toList().indexOf(name);
  }

  /** One of which each property is 7. */
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
      public OptionalLong longProperty(String property) {
        questions.add(property);
        return OptionalLong.of(7);
      }

      @Override
      public String property(String property) {
        questions.add(property);
        return switch (property) {
          case "rocksdb.options-statistics" -> "rocksdb.number.keys.written COUNT : 5\n";
          case "rocksdb.levelstats" -> "Level Files Size(MB)\n-----\n  0        7        1\n  1        2        0\n";
          default -> "Write Stall (count): l0-file-count-limit-delays: 7, memtable-limit-stops: 4, total-stops: 4\n";
        };
      }
    };
  }
}
