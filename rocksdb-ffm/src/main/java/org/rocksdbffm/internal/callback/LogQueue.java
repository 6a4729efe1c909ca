/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_messages;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.leak.ServiceThread;
import org.rocksdbffm.internal.lifetime.RefCounted;
import org.rocksdbffm.internal.lifetime.Shared;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * A queue of the engine's info log messages for a Java sink. The engine logs on any of its threads, often with a lock
 * held, so C code copies each message to native memory, and no engine thread enters the JVM. A separate thread passes
 * the messages to the sink. Messages that find no room are dropped and counted.
 *
 * <p><em>Shared</em> by the options that it is set in and the database that is opened with them. When both have
 * released it, the engine does not log any more: the thread passes on the remaining messages, and frees the memory.
 */
public final class LogQueue implements Shared {
  /** RocksDB's header level: only header messages are logged. */
  private static final int HIGHEST_LEVEL = 5;

  private static final long CAPACITY = 512 << 10;
  private static final long HEAD = 2 * Integer.BYTES;

  private final MemorySegment queue;
  private final RawLog sink;
  private final String database;
  private final int level;
  private final RefCounted holders = new RefCounted();

  private LogQueue(MemorySegment queue, RawLog sink, int level, String database) {
    this.queue = queue;
    this.sink = sink;
    this.level = level;
    this.database = database;
  }

  /** Makes a database that is opened with the options discard its info log. */
  public static void silence(MemorySegment options) {
    set(options, HIGHEST_LEVEL, MemorySegment.NULL, MemorySegment.NULL);
  }

  /** Makes a database that is opened with the options log to a sink; the options hold the first share. */
  public static LogQueue setIn(MemorySegment options, RawLog sink, String database) {
    MemorySegment queue = RocksDbC.rocksdb_ffm_log_create(CAPACITY);
    if (queue.address() == 0) {
      throw new OutOfMemoryError("no native memory for the messages of " + database);
    }
    LogQueue made = new LogQueue(queue, sink, RocksDbC.rocksdb_options_get_info_log_level(options), database);
    try {
      ServiceThread.start("messages of a database", made::forwardAll);
    } catch (Throwable e) {
      RocksDbC.rocksdb_ffm_log_destroy(queue);
      throw e;
    }
    set(options, made.level, NativeLibrary.find("rocksdb_ffm_log_add"), queue);
    return made;
  }

  private static void set(MemorySegment options, int level, MemorySegment function, MemorySegment state) {
    long logger = HotCalls.createLogger(level, function.address(), state.address());
    HotCalls.setInfoLog(options.address(), logger);
    HotCalls.destroyLogger(logger); // the options keep a reference
  }

  /** Adds a share. */
  public LogQueue share() {
    holders.retain();
    return this;
  }

  /** Releases a share; afterwards its owner's engine object must not log. */
  @Override
  public void release() {
    if (holders.release()) {
      RocksDbC.rocksdb_ffm_log_end(queue);
    }
  }

  private void forwardAll() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment taken = arena.allocate(Structs.SIZE_OF_MESSAGES, Long.BYTES);
      while (true) {
        RocksDbC.rocksdb_ffm_log_take(queue, taken);
        if (rocksdb_ffm_messages.ended(taken) != 0) {
          RocksDbC.rocksdb_ffm_log_destroy(queue);
          return;
        }
        try {
          forward(taken);
        } catch (Throwable e) {
          failed(e);
        }
      }
    }
  }

  private void forward(MemorySegment taken) {
    long next = Memory.pointer(taken, Structs.MESSAGES_BYTES);
    long end = next + rocksdb_ffm_messages.size(taken);
    while (next < end) {
      MemorySegment head = Memory.at(next, HEAD);
      int messageLevel = head.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      int size = head.get(ValueLayout.JAVA_INT_UNALIGNED, Integer.BYTES);
      long text = next + HEAD;
      if (messageLevel >= level || level == HIGHEST_LEVEL) {
        guarded(() -> sink.log(messageLevel, text(text, size)));
      }
      next = text + size;
    }
    long dropped = rocksdb_ffm_messages.dropped(taken);
    if (dropped != 0) {
      guarded(() -> sink.dropped(dropped));
    }
  }

  private static String text(long address, int size) {
    return new String(Memory.toArray(address, size), StandardCharsets.UTF_8).stripTrailing();
  }

  private void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (Throwable e) {
      failed(e);
    }
  }

  private void failed(Throwable thrown) {
    Callback.warn("info log of " + database, thrown, "it gets the next message all the same");
  }
}
