/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sql;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ignite.IgniteServer;
import org.apache.ignite.InitParameters;
import org.rocksdbffm.clients.Turn;

/** A node of an Ignite cluster in a separate process and folder. It ends when its standard input ends. */
final class SqlNode {
  /** The file that the node creates after it has joined the cluster. */
  static final Path JOINED = Path.of("joined");

  private SqlNode() {}

  /** Arguments: the node's name, its configuration, and the names of all nodes if it initializes the cluster. */
  public static void main(String[] arguments) throws IOException {
    Turn.requireDropIn();
    Path configuration = Files.writeString(Path.of("node.conf"), arguments[1]);
    IgniteServer server = IgniteServer.start(arguments[0], configuration, Path.of("work"));
    if (arguments.length > 2) {
      String[] names = arguments[2].split(",");
      server.initCluster(InitParameters.builder().clusterName("cluster").metaStorageNodeNames(names).build());
    }
    server.waitForInitAsync().join();
    Files.createFile(JOINED);
    System.in.transferTo(OutputStream.nullOutputStream());
    server.shutdown();
    System.exit(0);
  }
}
