/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.server.load.ServerProcess;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisException;

/** Tests that no acknowledged write is lost, whichever way the server ends. */
class ShutdownTest {
  private static final int WRITERS = 4;
  private static final int PIPELINED = 20;
  private static final int ACKNOWLEDGED = 2_000;
  private static final int PATIENCE_MILLIS = 60_000;

  @TempDir Path folder;
  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noAcknowledgedWriteIsLost(boolean gracefully) throws Exception {
    try (var server = new ServerProcess(List.of("-Xmx256m"), "--dir", folder.toString())) {
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        writers.add(Thread.ofPlatform().start(() -> write(server, number)));
      }
      while (acknowledged.size() < ACKNOWLEDGED) {
        assertTrue(writers.stream().anyMatch(Thread::isAlive), server::said);
        Thread.sleep(1);
      }
      if (gracefully) {
        assertEquals("", server.end().replaceAll("(?m)^(SLF4J|WARNING).*$|\\s+", ""));
      } else {
        server.kill();
      }
      for (Thread writer : writers) {
        writer.join();
      }
    }
    assertTrue(acknowledged.size() >= ACKNOWLEDGED);
    try (RocksDb db = RocksDb.open(folder)) {
      for (String key : acknowledged) {
        byte[] expected = key.getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(expected, db.get(expected), key);
      }
    }
  }

  private void write(ServerProcess server, int number) {
    try (Jedis client = new Jedis("127.0.0.1", server.address().getPort(), PATIENCE_MILLIS)) {
      for (int i = 0; ; i++) {
        Pipeline pipeline = client.pipelined();
        List<String> keys = new ArrayList<>();
        List<Response<String>> answers = new ArrayList<>();
        for (int k = 0; k < PIPELINED; k++) {
          String key = number + ":" + i + ":" + k;
          keys.add(key);
          answers.add(pipeline.set(key, key));
        }
        try {
          pipeline.sync();
        } finally {
          for (int k = 0; k < PIPELINED; k++) {
            if (isAcknowledged(answers.get(k))) {
              acknowledged.add(keys.get(k));
            }
          }
        }
      }
    } catch (JedisException e) {
      // The server ended.
    }
  }

  private static boolean isAcknowledged(Response<String> answer) {
    try {
      return "OK".equals(answer.get());
    } catch (IllegalStateException | JedisException e) {
      return false;
    }
  }
}
