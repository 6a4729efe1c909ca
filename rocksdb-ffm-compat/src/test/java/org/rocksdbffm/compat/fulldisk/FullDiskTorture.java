/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.fulldisk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.RocksDBException;

/**
 * Fills a small disk while eight threads write to a database on it, frees it, and waits until writes are accepted,
 * without an opening: {@code core|dropin ROUNDS}. After each round, and after an opening at the end, each acknowledged
 * write must be there. Needs the right to mount a disk in memory.
 */
public final class FullDiskTorture {
  private static final int DISK_MIB = 24;
  private static final int LEFT = 2 << 20;
  private static final int PAGE = 4096;
  private static final int THREADS = 8;
  private static final int KEYS = 40; // of a thread
  private static final int VALUE = 5_000;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final int ROUNDS_OF_A_REPORT = 50;

  private final Path disk;
  private final boolean isDropIn;
  private final int[] next = new int[THREADS];
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
  private long writes;

  private FullDiskTorture(Path disk, boolean isDropIn) {
    this.disk = disk;
    this.isDropIn = isDropIn;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2 || !arguments[0].matches("core|dropin") || !arguments[1].matches("[0-9]{1,9}")) {
      System.err.println("./torture --full-disk core|dropin ROUNDS");
      System.exit(2);
    }
    System.setProperty("org.rocksdbffm.compat.resume", FullDiskStore.ROOM_MIB + "m");
    Path disk = Files.createTempDirectory("disk").toRealPath();
    String refusal = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", disk.toString());
    if (!refusal.isEmpty()) {
      System.out.println("no disk can be mounted here: " + refusal);
      return;
    }
    try {
      new FullDiskTorture(disk, arguments[0].equals("dropin")).run(Integer.parseInt(arguments[1]));
    } finally {
      run("umount", disk.toString());
      Files.deleteIfExists(disk);
    }
  }

  private void run(int rounds) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        FullDiskStore db = open()) {
      for (int round = 1; round <= rounds; round++) {
        fill();
        write(db, threads);
        Files.delete(disk.resolve("filler"));
        awaitWrites(db, round);
        requireAcknowledged(db, "round " + round);
        if (round % ROUNDS_OF_A_REPORT == 0 || round == rounds) {
          System.out.println(round + " rounds, " + writes + " acknowledged writes, none lost");
        }
      }
    }
    try (FullDiskStore db = open()) {
      requireAcknowledged(db, "the next opening");
    }
    System.out.println("done");
  }

  private FullDiskStore open() throws RocksDBException {
    return FullDiskStore.open(isDropIn, disk.resolve("db"));
  }

  private void fill() throws IOException {
    try (OutputStream filler = Files.newOutputStream(disk.resolve("filler"))) {
      for (long bytes = free() - LEFT; bytes >= PAGE; bytes = free() - LEFT) {
        filler.write(new byte[(int) bytes]);
      }
    } catch (IOException e) {
      if (free() >= PAGE) {
        throw e;
      } // otherwise a compaction has taken the last page
    }
  }

  private long free() throws IOException {
    return Files.getFileStore(disk).getUsableSpace();
  }

  private void write(FullDiskStore db, ExecutorService threads) throws Exception {
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      writers.add(() -> write(db, thread, next[thread]));
    }
    List<Future<Integer>> ends = threads.invokeAll(writers);
    for (int i = 0; i < THREADS; i++) {
      int end = ends.get(i).get();
      writes += end - 1 - next[i];
      next[i] = end;
    }
  }

  /** Writes until the disk is full; returns the number of the next write. */
  private int write(FullDiskStore db, int thread, int from) {
    byte[] value = new byte[VALUE];
    new Random(thread).nextBytes(value);
    for (int number = from; ; number++) {
      ByteBuffer.wrap(value).putInt(number);
      String key = thread + "-" + number % KEYS;
      if (!db.put(key.getBytes(UTF_8), value)) {
        return number + 1;
      }
      acknowledged.put(key, number);
    }
  }

  private static void awaitWrites(FullDiskStore db, int round) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!db.put(new byte[] {0}, new byte[1])) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("round " + round + ": writes are refused, although there is room");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private void requireAcknowledged(FullDiskStore db, String where) {
    acknowledged.forEach((key, number) -> {
      byte[] value = db.get(key.getBytes(UTF_8));
      if (value == null || ByteBuffer.wrap(value).getInt() < number) {
        throw new AssertionError("after " + where + ": " + key + " has lost write " + number);
      }
    });
  }

  /** Runs a command; returns its output if it fails. */
  private static String run(String... command) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return process.waitFor() == 0 ? "" : "exit " + process.exitValue() + ": " + output;
    } catch (IOException e) {
      return e.toString(); // the command is missing
    }
  }
}
