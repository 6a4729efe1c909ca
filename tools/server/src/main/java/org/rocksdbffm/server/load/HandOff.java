/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import org.rocksdbffm.server.load.LoadFolder;

/**
 * Measures the hand-off of values from the database to the socket, for each kind of store: values per second, values
 * per second of the server's CPU time, and heap bytes per value. Each kind has a server in a separate JVM with separate
 * files. The rounds of the servers alternate, so that disturbances of the machine affect all of them; the client's CPU
 * time is not counted. The whole comparison is repeated in new JVMs, because JIT compilation differs between them.
 */
public final class HandOff {
  private final HandOffPlan plan;
  private final Certificate certificate;
  private final String transport;
  private final SocketFactory sockets;

  /** Measures servers with one transport; the certificate is null for no TLS. */
  private HandOff(HandOffPlan plan, Certificate certificate, String transport) throws Exception {
    this.plan = plan;
    this.certificate = certificate;
    this.transport = transport;
    this.sockets = certificate == null ? SocketFactory.getDefault() : certificate.clients();
  }

  /** The kinds of stores: the server's option, and the name in the table. */
  enum Way {
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

  /** Prints a table. */
  public static void main(String[] arguments) throws Exception {
    HandOffPlan plan = HandOffPlan.parse(arguments);
    try (LoadFolder folder = LoadFolder.create()) {
      measure(plan, folder.path());
    }
  }

  private static void measure(HandOffPlan plan, Path folder) throws Exception {
    for (Way way : Way.values()) {
      LoadRows.write(way.folder(folder), plan.sizes().stream().mapToInt(Integer::intValue).toArray());
    }
    System.out.println(HandOffRounds.HEADER);
    for (String security : plan.securities()) {
      Certificate certificate =
          security.equals("tls") ? new Certificate(Files.createDirectory(folder.resolve("tls"))) : null;
      for (String transport : plan.transports()) {
        new HandOff(plan, certificate, transport).measure(folder);
      }
    }
  }

  private void measure(Path folder) throws Exception {
    Map<Integer, HandOffRounds> figures = new LinkedHashMap<>();
    for (int fork = 0; fork < plan.forks(); fork++) {
      Map<Way, ServerProcess> servers = new EnumMap<>(Way.class);
      try {
        for (Way way : Way.values()) {
          servers.put(way, server(way, folder));
        }
        for (int size : plan.sizes()) {
          measure(size, servers, figures.computeIfAbsent(size, any -> new HandOffRounds()));
        }
        for (ServerProcess server : servers.values()) {
          server.end();
        }
      } finally {
        servers.values().forEach(ServerProcess::close);
      }
    }
    String title = transport + (certificate == null ? "" : " TLS");
    figures.forEach((size, each) -> each.print(title, size));
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

  /** Measures in rounds; rotates the order of the servers, so that none is always the first. */
  private void measure(int size, Map<Way, ServerProcess> servers, HandOffRounds figures) throws Exception {
    Map<Way, ServerLoad> loads = new EnumMap<>(Way.class);
    try {
      for (Way way : Way.values()) {
        loads.put(way, new ServerLoad(servers.get(way).address(), sockets, size));
        if (!loads.get(way).warmUp(plan.warmUp())) {
          System.out.printf("(%s, %d bytes: still compiling after %.0f s)%n", way.title, size, plan.warmUp());
        }
      }
      List<Way> order = new ArrayList<>(List.of(Way.values()));
      figures.beginFork();
      for (int i = 0; i < plan.rounds(); i++) {
        for (Way way : order) {
          figures.add(way, loads.get(way).round(plan.seconds()));
        }
        Collections.rotate(order, 1);
      }
      for (ServerLoad load : loads.values()) {
        load.requireNothingPinned();
      }
    } finally {
      loads.values().forEach(ServerLoad::close);
    }
  }
}
