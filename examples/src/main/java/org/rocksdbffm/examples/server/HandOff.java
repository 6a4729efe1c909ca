/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import javax.net.SocketFactory;
import org.rocksdbffm.examples.TemporaryFolder;

/**
 * Measures the hand-off: how many values a server gives out, per second and per second of its processor's time, and how
 * much of the heap it takes for each, by each way from the database to the socket. Each way has a server in a JVM of its
 * own, over files of its own, and they take turns, so that what else goes on in the machine meets them all; the client's
 * work is not counted.
 */
public final class HandOff {
  private static final int CONNECTIONS = 4;

  private final Plan plan;
  private final Certificate certificate;
  private final String transport;
  private final SocketFactory sockets;

  /** Servers of one kind; the certificate is null for none. */
  private HandOff(Plan plan, Certificate certificate, String transport) throws Exception {
    this.plan = plan;
    this.certificate = certificate;
    this.transport = transport;
    this.sockets = certificate == null ? SocketFactory.getDefault() : certificate.clients();
  }

  /** From the database to the socket: the server's option for it, and what it is called. */
  private enum Way {
    ARRAY("--copy", "rocksdbjni byte[]"),
    POOLED("--copy=pooled", "pooled buffer"),
    PINNED("", "block cache");

    final String option;
    final String title;

    Way(String option, String title) {
      this.option = option;
      this.title = title;
    }

    Path folder(Path parent) {
      return parent.resolve(name());
    }
  }

  /** What is measured, and how long. */
  private record Plan(
      List<Integer> sizes, List<String> transports, List<String> securities, double warmUp, double seconds, int rounds) {
    static Plan parse(String... arguments) {
      Plan plan =
          new Plan(
              List.of(100, 4 << 10, 64 << 10, 1 << 20), List.of("epoll", "io_uring"), List.of("plain", "tls"), 2, 1, 3);
      for (int i = 0; i < arguments.length; i += 2) {
        if (i + 1 == arguments.length) {
          throw new IllegalArgumentException(arguments[i] + ": a value is missing");
        }
        plan = plan.with(arguments[i], arguments[i + 1]);
      }
      return plan;
    }

    private Plan with(String option, String value) {
      List<String> values = List.of(value.split(","));
      return switch (option) {
        case "--sizes" ->
            new Plan(values.stream().map(Integer::valueOf).toList(), transports, securities, warmUp, seconds, rounds);
        case "--transports" -> new Plan(sizes, values, securities, warmUp, seconds, rounds);
        case "--security" -> new Plan(sizes, transports, values, warmUp, seconds, rounds);
        case "--warm-up" -> new Plan(sizes, transports, securities, Double.parseDouble(value), seconds, rounds);
        case "--seconds" -> new Plan(sizes, transports, securities, warmUp, Double.parseDouble(value), rounds);
        case "--rounds" -> new Plan(sizes, transports, securities, warmUp, seconds, Integer.parseInt(value));
        default ->
            throw new IllegalArgumentException(
                option + ": known are --sizes, --transports, --security, --warm-up, --seconds and --rounds");
      };
    }
  }

  /** One round: requests a second, requests a second of the server's processor time, and bytes of heap a request. */
  private record Figures(double perSecond, double perCpuSecond, double heapBytes) {}

  /** Prints a table. */
  public static void main(String[] arguments) throws Exception {
    Plan plan = Plan.parse(arguments);
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      measure(plan, folder.path());
    }
  }

  private static void measure(Plan plan, Path folder) throws Exception {
    for (Way way : Way.values()) {
      DataSet.write(way.folder(folder), plan.sizes.stream().mapToInt(Integer::intValue).toArray());
    }
    System.out.println(
        "| transport | values by way of | bytes | requests/s | requests/CPU s | spread | to byte[] | heap B/request |");
    System.out.println("|--|--|--:|--:|--:|--:|--:|--:|");
    for (String security : plan.securities) {
      Certificate certificate = security.equals("tls") ? new Certificate(Files.createDirectory(folder.resolve("tls"))) : null;
      for (String transport : plan.transports) {
        new HandOff(plan, certificate, transport).measure(folder);
      }
    }
  }

  private void measure(Path folder) throws Exception {
    Map<Way, ServerProcess> servers = new EnumMap<>(Way.class);
    try {
      for (Way way : Way.values()) {
        servers.put(way, server(way, folder));
      }
      for (int size : plan.sizes) {
        print(size, measure(size, servers));
      }
      for (ServerProcess server : servers.values()) {
        server.end();
      }
    } finally {
      servers.values().forEach(ServerProcess::close);
    }
  }

  private ServerProcess server(Way way, Path folder) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of("--dir", way.folder(folder).toString(), "--transport", transport, "--threads", "1"));
    if (!way.option.isEmpty()) {
      options.add(way.option);
    }
    if (certificate != null) {
      options.addAll(List.of("--tls", certificate.certificate + "," + certificate.key));
    }
    return new ServerProcess(List.of("-Xmx512m", "-Xms512m"), options.toArray(String[]::new));
  }

  private Map<Way, List<Figures>> measure(int size, Map<Way, ServerProcess> servers) throws Exception {
    Map<Way, List<Figures>> rounds = new EnumMap<>(Way.class);
    for (ServerProcess server : servers.values()) {
      round(server.address(), size, plan.warmUp);
    }
    for (int i = 0; i < plan.rounds; i++) {
      for (Way way : Way.values()) {
        Figures figures = round(servers.get(way).address(), size, plan.seconds);
        rounds.computeIfAbsent(way, any -> new ArrayList<>()).add(figures);
      }
    }
    return rounds;
  }

  private void print(int size, Map<Way, List<Figures>> rounds) {
    List<Figures> arrays = rounds.get(Way.ARRAY);
    rounds.forEach((way, figures) -> {
      double[] perCpuSecond = figures.stream().mapToDouble(Figures::perCpuSecond).sorted().toArray();
      double[] ratios = new double[figures.size()];
      Arrays.setAll(ratios, i -> figures.get(i).perCpuSecond / arrays.get(i).perCpuSecond);
      System.out.printf(
          Locale.ROOT,
          "| %s%s | %s | %d | %.0f | %.0f | %.0f..%.0f | %.2f (%.2f..%.2f) | %.0f |%n",
          transport,
          certificate == null ? "" : " TLS",
          way.title,
          size,
          median(figures.stream().mapToDouble(Figures::perSecond)),
          median(Arrays.stream(perCpuSecond)),
          perCpuSecond[0],
          perCpuSecond[perCpuSecond.length - 1],
          median(Arrays.stream(ratios)),
          Arrays.stream(ratios).min().orElseThrow(),
          Arrays.stream(ratios).max().orElseThrow(),
          median(figures.stream().mapToDouble(Figures::heapBytes)));
    });
  }

  private static double median(DoubleStream figures) {
    double[] sorted = figures.sorted().toArray();
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }

  /** Small values are asked for many at a time, as clients do that want many. */
  private static int pipelined(int size) {
    return size <= 100 ? 16 : 1;
  }

  private Figures round(InetSocketAddress server, int size, double seconds) throws Exception {
    DataSet data = DataSet.of(size);
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      clients.add(new LoadClient(server, sockets));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        LoadClient observer = new LoadClient(server, sockets)) {
      long cpu = observer.info("cpu_nanos");
      long heap = observer.info("allocated_bytes");
      long begin = System.nanoTime();
      long end = begin + (long) (seconds * 1e9);
      List<Future<Long>> counts = new ArrayList<>();
      for (LoadClient client : clients) {
        Callable<Long> work = () -> client.run(size, data.keys(), pipelined(size), end);
        counts.add(threads.submit(work));
      }
      long count = 0;
      for (Future<Long> each : counts) {
        count += each.get();
      }
      double took = (System.nanoTime() - begin) / 1e9;
      double cpuSeconds = (observer.info("cpu_nanos") - cpu) / 1e9;
      return new Figures(
          count / took, count / cpuSeconds, (observer.info("allocated_bytes") - heap) / (double) count);
    } finally {
      for (LoadClient client : clients) {
        client.close();
      }
    }
  }
}
