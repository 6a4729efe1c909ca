/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a server recovers after a period without free direct memory. */
class ScarceMemoryTest {
  private static final int PATIENCE_MILLIS = 60_000;

  @TempDir Path folder;

  /** An allocator that has no memory as long as a test requires it. */
  private static final class Scarce extends AbstractByteBufAllocator {
    private volatile boolean isEmpty;

    Scarce() {
      super(true);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }

    @Override
    protected ByteBuf newHeapBuffer(int size, int most) {
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(size, most);
    }

    @Override
    protected ByteBuf newDirectBuffer(int size, int most) {
      if (isEmpty) {
        throw new OutOfMemoryError("no direct memory, for a test");
      }
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(size, most);
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientsAreAnsweredAgainOnceThereIsMemory(Transport transport) throws Exception {
    assumeTrue(transport.isAvailable());
    var memory = new Scarce();
    try (Server server = new Server(ServerOptions.of(folder).with(transport), memory)) {
      for (int round = 0; round < 3; round++) {
        List<Wire> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          clients.add(new Wire(server.address(), PATIENCE_MILLIS));
          assertEquals("OK", clients.getLast().ask("SET", "key" + i, "value" + i));
        }
        memory.isEmpty = true;
        for (Wire client : clients) {
          requireRefusalOrEnd(client);
        }
        try (Wire late = new Wire(server.address(), PATIENCE_MILLIS)) {
          requireRefusalOrEnd(late);
        }
        memory.isEmpty = false;
        try (Wire next = new Wire(server.address(), PATIENCE_MILLIS)) {
          for (int i = 0; i < 5; i++) {
            assertArrayEquals(Wire.bytes("value" + i), (byte[]) next.ask("GET", "key" + i));
          }
        }
      }
      assertEquals(0, server.pins());
    }
  }

  /** Requires that the server refuses the request or closes the connection; it must not be silent. */
  private static void requireRefusalOrEnd(Wire client) throws IOException {
    try (client) {
      Object answer = client.ask("GET", "key0");
      assertTrue(answer instanceof Wire.Refusal refusal && refusal.isOfTheMoment(), () -> "answered with " + answer);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the server is silent", e);
    } catch (IOException e) {
      // The server has closed the connection.
    }
  }
}
