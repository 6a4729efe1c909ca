/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.rocksdbffm.server.load.LoadFolder;

/**
 * Creates an AOT cache of the classes that the server loads and links, by a short run: {@code ./server} calls this once
 * after a build, so that later starts are faster.
 */
public final class Training {
  private static final int ROUNDS = 2000;
  private static final int[] SIZES = {100, 64 << 10};

  private Training() {}

  /**
   * Creates the cache.
   *
   * @param arguments the file of the cache
   */
  public static void main(String[] arguments) throws Exception {
    try (LoadFolder folder = LoadFolder.create();
        ServerProcess server =
            new ServerProcess(List.of("-XX:AOTCacheOutput=" + arguments[0]), "--dir", folder.path().toString())) {
      try (Socket client = new Socket(server.address().getAddress(), server.address().getPort())) {
        for (int round = 0; round < ROUNDS; round++) {
          exchange(client, SIZES[round % SIZES.length], "key-" + round % 100);
        }
      }
      ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
      process.destroy(); // keeps its output open, which the JVM needs to write the cache
      process.onExit().join();
    }
  }

  private static void exchange(Socket client, int size, String key) throws IOException {
    OutputStream out = client.getOutputStream();
    DataInputStream in = new DataInputStream(client.getInputStream());
    out.write(command("SET", key, "v".repeat(size)));
    in.readNBytes("+OK\r\n".length());
    out.write(command("GET", key));
    in.readNBytes(("$" + size + "\r\n\r\n").length() + size);
  }

  private static byte[] command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
