/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_messages;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.ServiceThread;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The engine's messages on their way to a sink in Java. The engine writes them on any of its threads, often while it holds
 * a lock, so C code copies each to memory of the queue and is done: no thread of the engine's enters the JVM for it. A
 * thread of this object reads what was copied, and tells the sink. Messages that find no room are dropped and counted.
 *
 * <p>The options that it is set in and the database that is opened with them <em>share</em> it. When both have released it,
 * the engine has no use for it any more: the thread tells what is left, and frees the memory.
 */
public final class LogQueue {
  /** As a level: the engine makes no messages, but for those that it makes at any level. */
  private static final int HIGHEST_LEVEL = 5;

  private static final long CAPACITY = 512 << 10;
  private static final long HEAD = 2 * Integer.BYTES;

  private final MemorySegment queue;
  private final RawLog sink;
  private final String database;
  private final int level;

  // Under the lock of this object.
  private int shares = 1;

  private LogQueue(MemorySegment queue, RawLog sink, int level, String database) {
    this.queue = queue;
    this.sink = sink;
    this.level = level;
    this.database = database;
  }

  /** Has a database that is opened with the options write its messages nowhere. */
  public static void silence(MemorySegment options) {
    set(options, HIGHEST_LEVEL, MemorySegment.NULL, MemorySegment.NULL);
  }

  /** Has a database that is opened with the options tell a sink; the share is the options'. */
  public static LogQueue setIn(MemorySegment options, RawLog sink, String database) {
    MemorySegment queue = RocksDbC.rocksdb_ffm_log_create(CAPACITY);
    if (queue.address() == 0) {
      throw new OutOfMemoryError("no native memory for the messages of " + database);
    }
    LogQueue made = new LogQueue(queue, sink, RocksDbC.rocksdb_options_get_info_log_level(options), database);
    try {
      ServiceThread.start("messages of a database", made::tellAll);
    } catch (Throwable e) {
      RocksDbC.rocksdb_ffm_log_destroy(queue);
      throw e;
    }
    set(options, made.level, NativeLibrary.find("rocksdb_ffm_log_add"), queue);
    return made;
  }

  private static void set(MemorySegment options, int level, MemorySegment function, MemorySegment state) {
    MemorySegment logger = RocksDbC.rocksdb_logger_create_callback_logger(level, function, state);
    RocksDbC.rocksdb_options_set_info_log(options, logger);
    RocksDbC.rocksdb_logger_destroy(logger); // the options have a share of what it stands for
  }

  /** Takes another share. */
  public synchronized LogQueue share() {
    shares++;
    return this;
  }

  /** Gives up a share, after which its owner has the engine write no message. */
  public synchronized void release() {
    shares--;
    if (shares == 0) {
      RocksDbC.rocksdb_ffm_log_end(queue);
    }
  }

  private void tellAll() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment taken = rocksdb_ffm_messages.allocate(arena);
      while (true) {
        RocksDbC.rocksdb_ffm_log_take(queue, taken);
        if (rocksdb_ffm_messages.ended(taken) != 0) {
          RocksDbC.rocksdb_ffm_log_destroy(queue);
          return;
        }
        try {
          tell(taken);
        } catch (Throwable e) {
          failed(e);
        }
      }
    }
  }

  private void tell(MemorySegment taken) {
    long next = Memory.pointer(taken, rocksdb_ffm_messages.bytes$offset());
    long end = next + rocksdb_ffm_messages.size(taken);
    while (next < end) {
      MemorySegment head = Memory.at(next, HEAD);
      int its = head.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      int size = head.get(ValueLayout.JAVA_INT_UNALIGNED, Integer.BYTES);
      long text = next + HEAD;
      if (its >= level || level == HIGHEST_LEVEL) {
        guarded(() -> sink.told(its, text(text, size)));
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
