/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.engines.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.SendLoop;

/** A thread's sends in C, from the engine's memory. */
final class NativeSendLoop implements SendLoop {
  private static final MethodHandle SEND = NativeLoops.loop("send");
  private static final MethodHandle CONNECT = NativeLoops.link("connect", JAVA_INT, ADDRESS);
  private static final MethodHandle DISCONNECT = NativeLoops.link("disconnect", null, JAVA_INT);

  private final NativeWork work;
  private final int stream;

  NativeSendLoop(MemorySegment database, KeyCycle keys, int count, Path socket) throws IOException {
    work = new NativeWork(database, keys, new byte[0], count);
    try (Arena arena = Arena.ofConfined()) {
      stream = (int) NativeLoops.call(CONNECT, arena.allocateFrom(socket.toString()));
    }
    if (stream < 0) {
      throw new IOException("Cannot connect to " + socket);
    }
    work.stream(stream);
  }

  @Override
  public long send() {
    return work.run(SEND);
  }

  @Override
  public void close() {
    NativeLoops.call(DISCONNECT, stream);
  }
}
