/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDb;

/**
 * A writer is killed at random points in time, under every kind of write and with a store that fails; each restored state
 * equals a model. {@code -Drocksdbffm.archive.kills=500} kills more often, and {@code -Drocksdbffm.archive.seed=7} at other
 * points.
 */
class KillTest {
  private static final int KILLS = Integer.getInteger("rocksdbffm.archive.kills", 2);
  private static final long SEED = Long.getLong("rocksdbffm.archive.seed", 1);
  private static final int STATES = 5;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void eachRestoredStateEqualsTheModel(long run) throws Exception {
    long seed = SEED + run;
    Random random = new Random(seed);
    Archive archive = Archive.in(new HostileStore(FolderStore.open(folder.resolve("store")), seed, 30));
    Workload workload = new Workload(seed);
    for (int kill = 0; kill < KILLS; kill++) {
      long promised = killedAfter(random, 100 * seed + kill, seed);
      Archive.Contents contents = archive.list();
      assertTrue(contents.bases().size() > 0, contents::toString);
      check(archive, workload, Target.newest(), promised);
      for (int state = 0; state < STATES; state++) {
        check(archive, workload, target(archive, contents, random), 0);
      }
    }
  }

  /** Starts a writer and kills it once it has promised a state; returns the sequence number that it promised last. */
  private long killedAfter(Random random, long seed, long workload) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                folder.toString(),
                Long.toString(seed),
                Long.toString(workload))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean hasPromised = false;
    try {
      int lines = 5 + random.nextInt(40);
      Await.printed(process, output, lines);
      hasPromised = true;
      Thread.sleep(random.nextInt(30)); // any point in time between two promises
    } finally {
      if (!hasPromised && process.isAlive()) {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor(); // prints its threads
        Thread.sleep(TimeUnit.SECONDS.toMillis(2));
        System.out.println(Files.readString(output));
      }
      process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
    }
    List<String> lines = Files.readString(output).lines().toList();
    boolean isCut = !Files.readString(output).endsWith("\n");
    return Long.parseLong(lines.get(lines.size() - (isCut ? 2 : 1)));
  }

  private Target target(Archive archive, Archive.Contents contents, Random random) {
    Archive.Base base = contents.bases().get(random.nextInt(contents.bases().size()));
    if (random.nextBoolean()) {
      long from = base.time().toEpochMilli();
      return Target.time(Instant.ofEpochMilli(from + random.nextLong(contents.newest().toEpochMilli() - from + 1)));
    }
    return Target.sequence(base.sequence() + random.nextLong(contents.sequence() - base.sequence() + 1));
  }

  private void check(Archive archive, Workload workload, Target target, long promised) throws Exception {
    Path restored = folder.resolve("restored");
    Archive.Restored result;
    try {
      result = archive.restore(restored, target);
    } catch (IllegalArgumentException none) {
      boolean mayLack = target instanceof Target.Sequence; // the state may be between two lines, or after the last base
      assertTrue(mayLack, none::toString);
      return;
    }
    try (RocksDb db = workload.open(restored)) {
      String what = target + ", " + result;
      workload.check(db, what);
      assertTrue(result.sequence() >= promised, () -> what + ", but " + promised + " was promised");
      long latest = db.files().latestSequenceNumber();
      assertTrue(latest <= result.sequence(), () -> what + ", but the last write is " + latest);
    }
    RocksDb.destroy(restored);
    try (Stream<Path> left = Files.exists(restored) ? Files.list(restored) : Stream.empty()) {
      for (Path file : left.toList()) {
        assertEquals("ARCHIVE", file.getFileName().toString());
        Files.delete(file);
      }
    }
    Files.deleteIfExists(restored);
  }
}
