/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;

/**
 * Asserts that a follower ends with the rows of its primary, whichever of them is killed, and whatever WAL files the
 * primary has deleted.
 */
class FollowerTest {
  private static final int ROUNDS = System.getProperty("rocksdbffm.sweep") == null ? 6 : 100;

  @TempDir Path folder;

  @Test
  @Timeout(600)
  void aFollowerEndsEqualWhoeverIsKilled() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Socket reservation = reservedPort()) {
      killAndFollow(seed, random, Integer.toString(reservation.getLocalPort()));
    }
    assertEqualRows("seed " + seed);
  }

  private void killAndFollow(long seed, Random random, String port) throws Exception {
    Process primary = start(BusyPrimary.class, port);
    Process follower = start(FollowingProgram.class, port);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Thread.sleep(200 + random.nextInt(1500));
        if (random.nextBoolean()) {
          kill(primary);
          primary = start(BusyPrimary.class, port);
        } else {
          kill(follower);
          Thread.sleep(random.nextInt(1500)); // the primary deletes WAL files
          follower = start(FollowingProgram.class, port);
        }
      }
      Files.createFile(folder.resolve("stop"));
      while (!Files.exists(folder.resolve("last"))) {
        assertTrue(primary.isAlive(), "seed " + seed + ": the primary has ended");
        Thread.sleep(20);
      }
      assertTrue(follower.waitFor(5, TimeUnit.MINUTES), "seed " + seed + ": the follower has not received all");
      assertEquals(0, follower.exitValue(), () -> "seed " + seed + ": " + printed(FollowingProgram.class));
    } finally {
      kill(primary);
      kill(follower);
    }
  }

  @Test
  @Timeout(120)
  void aFollowerThatHasFallenBehindBeginsAgainFromACheckpoint() throws Exception {
    Path database = folder.resolve("primary");
    try (RocksDb db = RocksDb.at(database).defaults(BusyPrimary.OPTIONS).open()) {
      db.createFamily("numbers", BusyPrimary.OPTIONS).put("one".getBytes(UTF_8), new byte[8]);
      db.put("first".getBytes(UTF_8), new byte[10]);
      try (Primary primary = new Primary(db, database, 0)) {
        long next = followUntil(primary.port(), db.files().latestSequenceNumber()) + 1;
        db.put("second".getBytes(UTF_8), new byte[10]);
        db.flushAll();
        db.put("third".getBytes(UTF_8), new byte[10]);
        db.flushAll();
        try (DatabaseFiles.LogReader log = db.files().logSince(next)) {
          assertEquals(RocksDbException.Code.NOT_FOUND, assertThrows(RocksDbException.class, log::next).code());
        }
        db.createFamily("more", BusyPrimary.OPTIONS); // the WAL does not contain it
        db.put("fourth".getBytes(UTF_8), new byte[10]);
        followUntil(primary.port(), db.files().latestSequenceNumber());
      }
    }
    assertEqualRows("fallen behind");
  }

  /** Follows on a separate thread until the follower has the write with the given number, and returns the number. */
  private long followUntil(int port, long last) throws Exception {
    try (Follower follower = new Follower(folder.resolve("follower"), BusyPrimary.OPTIONS)) {
      Thread following = FollowingProgram.start(follower, port);
      while (!FollowingProgram.has(follower, last)) {
        Thread.sleep(10);
      }
      following.interrupt();
      following.join();
      return follower.db().files().latestSequenceNumber();
    }
  }

  private void assertEqualRows(String where) {
    try (RocksDb primary = RocksDb.at(folder.resolve("primary")).defaults(BusyPrimary.OPTIONS).openReadOnly();
        RocksDb follower =
            RocksDb.at(folder.resolve("follower").resolve("db")).defaults(BusyPrimary.OPTIONS).openReadOnly()) {
      assertEquals(primary.files().latestSequenceNumber(), follower.files().latestSequenceNumber(), where);
      for (String family : List.of("default", "numbers")) {
        try (Scan expected = primary.family(family).scan(KeyRange.all());
            Scan found = follower.family(family).scan(KeyRange.all())) {
          int rows = 0;
          while (expected.next()) {
            assertTrue(found.next(), where);
            assertArrayEquals(expected.keyBytes(), found.keyBytes(), where);
            assertArrayEquals(expected.valueBytes(), found.valueBytes(), where);
            rows++;
          }
          assertFalse(found.next(), where);
          assertTrue(rows > 0, where);
        }
      }
    }
  }

  /** Binds a socket to a port, which the system then assigns to no other; a primary may listen on it nevertheless. */
  private static Socket reservedPort() throws IOException {
    Socket socket = new Socket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return socket;
  }

  private Process start(Class<?> program, String port) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            folder.toString(),
            port)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(printedTo(program).toFile()))
        .start();
  }

  private Path printedTo(Class<?> program) {
    return folder.resolve(program.getSimpleName() + ".log");
  }

  private String printed(Class<?> program) {
    try {
      return Files.readString(printedTo(program));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
