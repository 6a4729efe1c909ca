/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.followers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Random walks of a follower whose path leads to one of two databases. Both get the same writes, and so have files with
 * the same names and sizes. Links are switched, folders are renamed, created again and replaced by a copy, and WAL
 * files are moved to other folders.
 */
@ExtendWith(LiveObjectsCheck.class)
final class FollowerWalkTest {
  private static final int STEPS = 40;
  private static final int KEYS = 20;
  private static final WriteOptions SYNC = WriteOptions.defaults().sync(true);

  @TempDir Path temporary;

  private final List<Site> sites = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private Random random;
  private FamilyOptions tables;
  private Path link;
  private int number;

  /** A database, its writer and its rows. */
  private final class Site {
    Path folder;
    Path logs; // null if in the database folder
    RocksDb db;
    final Map<String, String> rows = new TreeMap<>();

    Site(Path folder) {
      this.folder = folder;
      open();
    }

    void open() {
      DatabaseOptions options = DatabaseOptions.defaults().replaceWalDir();
      db = RocksDb.at(folder).options(logs == null ? options : options.option("wal_dir", logs)).defaults(tables).open();
    }

    /** Flushes and closes the database, so that no rows are in the WAL. */
    void close() {
      db.flush();
      db.close();
    }

    void moveLogs(Path to) {
      close();
      logs = to;
      open();
    }

    void makeAgain() throws IOException {
      db.close();
      deleteFolders();
      rows.clear();
      open();
    }

    void becomeACopy() throws IOException {
      Path copy = temporary.resolve("copy");
      db.files().checkpoint(copy);
      db.close();
      deleteFolders();
      Files.move(copy, folder);
      open();
    }

    private void deleteFolders() throws IOException {
      Folders.delete(folder);
      if (logs != null && Files.exists(logs)) {
        Folders.delete(logs);
      }
      logs = null;
    }
  }

  static LongStream seeds() {
    return LongStream.range(Sweeps.seed(), Sweeps.seed() + Sweeps.of(4, 100));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachReadingIsOfOneDatabaseAndEachCatchUpIsOfTheOneToWhichThePathLeads(long seed) throws IOException {
    random = new Random(seed);
    boolean opensLate = random.nextBoolean();
    tables = FamilyOptions.defaults().enableBlobFiles(opensLate);
    sites.add(new Site(temporary.toRealPath().resolve("a")));
    sites.add(new Site(temporary.toRealPath().resolve("b")));
    link = Files.createSymbolicLink(temporary.resolve("current"), sites.getFirst().folder);
    Path followed = random.nextBoolean() ? link : sites.getFirst().folder;
    Map<String, String> seen = Map.of();
    try (Follower follower = Follower.open(followed)) {
      for (int i = 0; i < STEPS; i++) {
        step();
        Map<String, String> now = now(followed);
        boolean catchesUp = random.nextInt(4) != 0;
        if (catchesUp) {
          follower.catchUp();
        }
        Map<String, String> read = follower.read(FollowerWalkTest::rows);
        String walk = "seed " + seed + ", " + followed.getFileName() + ", " + steps;
        if (catchesUp) {
          assertEquals(now, read, walk);
        } else {
          assertTrue(read.equals(seen) || opensLate && read.equals(now), () -> walk + ": " + read);
        }
        seen = read;
      }
    } finally {
      sites.forEach(site -> site.db.close());
    }
  }

  /** Returns the rows of the database to which a path leads. */
  private Map<String, String> now(Path path) throws IOException {
    Path real = path.toRealPath();
    return new TreeMap<>(sites.stream().filter(site -> site.folder.equals(real)).findFirst().orElseThrow().rows);
  }

  private static Map<String, String> rows(RocksDb db) {
    Map<String, String> rows = new TreeMap<>();
    db.stream(KeyRange.all(), row -> rows.put(new String(row.keyBytes()), new String(row.valueBytes())))
        .forEach(before -> {});
    return rows;
  }

  private void step() throws IOException {
    int kind = random.nextInt(12);
    steps.add(List.of("link", "names", "again", "copy", "logs", "flush", "compact").get(Math.min(kind, 6)));
    switch (kind) {
      case 0 -> switchLink();
      case 1 -> swapNames();
      case 2 -> {
        for (Site site : sites) {
          site.makeAgain();
        }
        writeAlike();
      }
      case 3 -> {
        for (Site site : sites) {
          site.becomeACopy();
        }
      }
      case 4 -> {
        int where = random.nextInt(3);
        number++;
        for (Site site : sites) {
          site.moveLogs(where == 0 ? null : where == 1 ? site.folder.resolve("log")
              : temporary.resolve(site.folder.getFileName() + "-" + number));
        }
        writeAlike();
      }
      case 5 -> sites.forEach(site -> site.db.flush());
      case 6 -> sites.forEach(site -> site.db.compact(KeyRange.all()));
      default -> {
        steps.set(steps.size() - 1, "write");
        writeAlike();
      }
    }
  }

  private void writeAlike() {
    for (int writes = random.nextInt(8); writes >= 0; writes--) {
      String key = "%04d".formatted(random.nextInt(KEYS));
      String count = "%06d".formatted(number++);
      for (int i = 0; i < sites.size(); i++) {
        String value = count + i;
        sites.get(i).db.with(SYNC).put(key.getBytes(), value.getBytes());
        sites.get(i).rows.put(key, value);
      }
    }
  }

  private void switchLink() throws IOException {
    Path other =
        Files.readSymbolicLink(link).equals(sites.getFirst().folder) ? sites.getLast().folder : sites.getFirst().folder;
    Path next = Files.createSymbolicLink(temporary.resolve("next"), other);
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Swaps the names of both database folders; moves the WAL into them first, because a separate WAL folder belongs to a
   * path.
   */
  private void swapNames() throws IOException {
    for (Site site : sites) {
      site.moveLogs(null);
      site.close();
    }
    Path first = sites.getFirst().folder;
    Path second = sites.getLast().folder;
    Path between = temporary.resolve("between");
    Files.move(first, between);
    Files.move(second, first);
    Files.move(between, second);
    sites.getFirst().folder = second;
    sites.getLast().folder = first;
    sites.forEach(Site::open);
  }
}
