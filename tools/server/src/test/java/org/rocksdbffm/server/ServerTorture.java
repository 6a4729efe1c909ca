/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.server.load.LoadFolder;
import org.rocksdbffm.server.load.ServerProcess;

/**
 * Runs hostile clients against a server in a separate process that has much or little of everything. Honest clients run
 * concurrently, and compare the answers with the rows that they wrote. In the end the server uses no more than at the
 * start.
 */
public final class ServerTorture {
  private static final int HOSTILE = 8;
  private static final int HONEST = 3;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int PAUSE_MILLIS = 20;

  /** The environments that the server runs in: its file descriptors, its memory and its limits. */
  enum Place {
    ROOMY(List.of(), List.of("-Xmx256m"), List.of()),
    FEW_DESCRIPTORS(List.of("sh", "-c", "ulimit -n 200; exec \"$@\"", "sh"), List.of("-Xmx128m"), List.of()),
    LITTLE_MEMORY(
        List.of(), List.of("-Xmx40m", "-XX:MaxDirectMemorySize=32m"), List.of("--max-requests", "1000000000")),
    LOW_LIMITS(
        List.of(),
        List.of("-Xmx128m"),
        List.of(
            "--max-argument", "700000", "--max-key", "100", "--max-arguments", "100", "--max-pipelined", "100",
            "--max-connections", "40", "--max-requests", "2000000", "--max-pinned", "5000000", "--max-cursors",
                "10000"));

    final List<String> launcher;
    final List<String> jvm;
    final List<String> options;

    Place(List<String> launcher, List<String> jvm, List<String> options) {
      this.launcher = launcher;
      this.jvm = jvm;
      this.options = options;
    }
  }

  private final Place place;
  private final Transport transport;
  private final long seed;
  private final Path folder;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong deeds = new AtomicLong();
  private final List<HonestClient> honest = new ArrayList<>();
  private final List<HostileClient> hostile = new ArrayList<>();

  ServerTorture(Place place, Transport transport, long seed, Path folder) {
    this.place = place;
    this.transport = transport;
    this.seed = seed;
    this.folder = folder;
  }

  /** The resources of a process, which must be the same at the end as at the start. */
  private record Footprint(long sockets, long threads, long kibibytes) {
    static Footprint of(long pid) throws IOException {
      long sockets = 0;
      try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
        for (Path file : files.toList()) {
          try {
            sockets += Files.readSymbolicLink(file).toString().startsWith("socket:") ? 1 : 0;
          } catch (IOException e) {
            // The descriptor was closed during the loop.
          }
        }
      }
      long threads = 0;
      long kibibytes = 0;
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
        if (line.startsWith("Threads:")) {
          threads = number(line);
        } else if (line.startsWith("VmRSS:")) {
          kibibytes = number(line);
        }
      }
      return new Footprint(sockets, threads, kibibytes);
    }

    private static long number(String line) {
      return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
  }

  /** Runs the clients; throws an exception if a check fails. */
  void run(double seconds) throws Exception {
    List<String> jvm = new ArrayList<>(place.jvm);
    jvm.addAll(List.of("-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=paranoid"));
    List<String> options = new ArrayList<>(place.options);
    options.addAll(List.of("--dir", folder.toString(), "--threads", "1"));
    options.addAll(List.of("--transport", transport.name().toLowerCase(Locale.ROOT)));
    options.addAll(List.of("--idle", "10")); // Netty's io_uring misses some closed clients
    try (var server = new ServerProcess(place.launcher, jvm, options.toArray(String[]::new))) {
      try {
        torture(server, seconds);
      } catch (Throwable e) {
        throw new AssertionError(this + "; the server said:\n" + server.said(), e);
      }
    }
    try (RocksDb db = RocksDb.open(folder)) {
      honest.forEach(client -> client.verify(db::get));
    }
  }

  private void torture(ServerProcess server, double seconds) throws Exception {
    InetSocketAddress address = server.address();
    try (Wire warmUp = new Wire(address, PATIENCE_MILLIS)) {
      warmUp.ask("SET", "warm", "up");
      warmUp.ask("SCAN", "0"); // starts the server's background threads
      warmUp.ask("DEL", "warm", "up");
    }
    Footprint before = Footprint.of(server.pid());
    List<Thread> threads = begin(address);
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      Thread.sleep(PAUSE_MILLIS);
      requireAlive(server);
      hostile.forEach(HostileClient::hurry);
      honest.forEach(HonestClient::requireNoFailure);
    }
    stop.set(true);
    for (Thread thread : threads) {
      for (int i = 0; i < PATIENCE_MILLIS / PAUSE_MILLIS && !thread.join(Duration.ofMillis(PAUSE_MILLIS)); i++) {
        hostile.forEach(HostileClient::hurry);
      }
      require(!thread.isAlive(), thread + " is not answered: " + List.of(thread.getStackTrace()));
    }
    honest.forEach(HonestClient::requireNoFailure);
    awaitRest(server, address, before);
    String said = server.end();
    for (String bad : new String[] {"LEAK", "event loop has ended", "SIGSEGV", "fatal error"}) {
      require(!said.contains(bad), "the server says " + bad);
    }
  }

  private List<Thread> begin(InetSocketAddress address) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < HONEST; i++) {
      honest.add(new HonestClient(address, i, new Random(31 * seed + i), stop));
      threads.add(Thread.ofPlatform().start(honest.getLast()));
    }
    for (int i = 0; i < HOSTILE; i++) {
      hostile.add(new HostileClient(address, new Random(31 * seed + HONEST + i), stop, deeds));
      threads.add(Thread.ofPlatform().start(hostile.getLast()));
    }
    return threads;
  }

  /** The server answers, retains nothing of closed connections, and does not exceed its memory limit. */
  private void awaitRest(ServerProcess server, InetSocketAddress address, Footprint before) throws Exception {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (true) {
      String kept = kept(address);
      Footprint now = Footprint.of(server.pid());
      if (kept.isEmpty() && now.sockets <= before.sockets && now.threads <= before.threads) {
        long most = 1024L * (256 + 3 * 64 + 450) + before.kibibytes; // cache, memtables, heap and direct memory
        require(now.kibibytes <= most, now.kibibytes + " KiB in memory after " + before.kibibytes);
        return;
      }
      requireAlive(server);
      require(System.nanoTime() < end, "it still has " + kept + now + ", and began with " + before);
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static String kept(InetSocketAddress address) throws InterruptedException {
    var kept = new StringBuilder();
    try (Wire wire = new Wire(address, PATIENCE_MILLIS)) {
      require("PONG".equals(wire.ask("PING")), "PING");
      for (String name : new String[] {"pinned_values", "pinned_bytes", "request_bytes"}) {
        long number = wire.info(name);
        kept.append(number == 0 ? "" : name + " " + number + ", ");
      }
      return kept.append(wire.info("connected_clients") == 1 ? "" : "clients, ").toString();
    } catch (IOException e) {
      return "no answer: " + e + ", ";
    }
  }

  private static void requireAlive(ServerProcess server) {
    require(server.isAlive(), "the server ended");
  }

  private static void require(boolean isTrue, String what) {
    if (!isTrue) {
      throw new AssertionError(what);
    }
  }

  @Override
  public String toString() {
    return "%s, %s, seed %d: %d deeds, %d answers checked, %d not given"
        .formatted(
            place,
            transport,
            seed,
            deeds.get(),
            honest.stream().mapToLong(HonestClient::checked).sum(),
            honest.stream().mapToLong(HonestClient::refused).sum());
  }

  /** Runs each environment once, with one of the available transports; {@code seconds} is the total time. */
  static void all(long seed, double seconds) throws Exception {
    List<Transport> transports = Stream.of(Transport.values()).filter(Transport::isAvailable).toList();
    for (Place place : Place.values()) {
      long caseSeed = Place.values().length * seed + place.ordinal();
      Transport transport = transports.get((int) Math.floorMod(seed + place.ordinal(), (long) transports.size()));
      one(place, transport, caseSeed, seconds / Place.values().length);
    }
  }

  private static void one(Place place, Transport transport, long seed, double seconds) throws Exception {
    try (LoadFolder folder = LoadFolder.create()) {
      var torture = new ServerTorture(place, transport, seed, folder.path());
      torture.run(seconds);
      System.out.println(torture);
    }
  }

  /**
   * Arguments: {@code [--minutes N | --seconds N] [--seed S] [--only PLACE,TRANSPORT]}; the last repeats a failed run.
   */
  public static void main(String[] arguments) throws Exception {
    double seconds = 60;
    long seed = System.currentTimeMillis();
    String[] only = null;
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + ": a value is missing");
      }
      switch (arguments[i]) {
        case "--minutes" -> seconds = 60 * Double.parseDouble(arguments[i + 1]);
        case "--seconds" -> seconds = Double.parseDouble(arguments[i + 1]);
        case "--seed" -> seed = Long.parseLong(arguments[i + 1]);
        case "--only" -> only = arguments[i + 1].split(",");
        default ->
            throw new IllegalArgumentException(arguments[i] + ": known are --minutes, --seconds, --seed and --only");
      }
    }
    if (only != null) {
      one(Place.valueOf(only[0]), Transport.valueOf(only[1]), seed, seconds);
    } else {
      double round = Math.min(seconds, 60); // then new processes with another seed
      for (double left = seconds; left > 0; left -= round, seed++) {
        all(seed, Math.min(round, left));
      }
    }
    System.out.println("Everything is as it should be.");
  }
}
