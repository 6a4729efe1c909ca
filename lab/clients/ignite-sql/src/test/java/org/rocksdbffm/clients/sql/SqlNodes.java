/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.client.IgniteClient;
import org.rocksdbffm.clients.Cluster;
import org.rocksdbffm.clients.Program;

/** The nodes of an Ignite cluster, whose storage profile {@code rows} is RocksDB. */
final class SqlNodes extends Cluster {
  static final int NODES = 3;

  /** The flags of a node's JVM: open the packages that Ignite accesses by reflection. */
  static final List<String> FLAGS =
      Stream.concat(
              Stream.of("-Xmx768m", "-Dio.netty.tryReflectionSetAccessible=true"),
              Stream.of(
                      "java.lang java.lang.invoke java.lang.reflect java.io java.nio java.math java.util java.time"
                          .concat(" jdk.internal.misc jdk.internal.access sun.nio.ch sun.security.x509")
                          .split(" "))
                  .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED"))
          .toList();

  private static final String CONFIGURATION =
      """
      ignite {
        network { port: %d, listenAddresses: ["127.0.0.1"], nodeFinder.netClusterNodes: [%s] }
        clientConnector { port: %d, listenAddresses: ["127.0.0.1"] }
        rest.port: %d
        storage.profiles.rows.engine: rocksdb
      }
      """;

  private final List<Integer> ports = freePorts(3 * NODES);

  SqlNodes(Program program, Path folder) throws IOException {
    super(program, folder, NODES);
    start(0, name(0), configuration(0), "node-0,node-1,node-2");
    start(1);
    start(2);
  }

  /** Starts a node that has joined a cluster before. */
  void start(int node) throws IOException {
    Files.deleteIfExists(folder(node).resolve(SqlNode.JOINED));
    start(node, name(node), configuration(node));
  }

  private static String name(int node) {
    return "node-" + node;
  }

  private String configuration(int node) {
    String all = ports.stream().limit(NODES).map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(","));
    return CONFIGURATION.formatted(ports.get(node), all, ports.get(NODES + node), ports.get(2 * NODES + node));
  }

  /** Returns a client with the addresses of all nodes. */
  IgniteClient client() {
    awaitAll();
    return IgniteClient.builder()
        .addresses(ports.stream().skip(NODES).limit(NODES).map(port -> "127.0.0.1:" + port).toArray(String[]::new))
        .build();
  }

  /** Waits until all nodes have joined the cluster. */
  void awaitAll() {
    await("a cluster of all", () ->
        IntStream.range(0, NODES).allMatch(node -> Files.exists(folder(node).resolve(SqlNode.JOINED))));
  }
}
