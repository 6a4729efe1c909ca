/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** A RocksDB thread pool, which all databases of the process share. Thread-safe. */
public enum NativeThreads {
  HIGH,
  LOW,
  BOTTOM;

  // RocksDB ends the process if it cannot start a thread.
  private static final int MOST = 1024;

  public int count() {
    return ask(
        switch (this) {
          case HIGH -> RocksDbC::rocksdb_env_get_high_priority_background_threads;
          case LOW -> RocksDbC::rocksdb_env_get_low_priority_background_threads;
          case BOTTOM -> RocksDbC::rocksdb_env_get_bottom_priority_background_threads;
        });
  }

  /** Sets the size, at least one: queued work would never run without a thread, and closes would wait for it. */
  public void setCount(int count) {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("count: " + count + ", but a pool has from 1 thread to " + MOST);
    }
    use(env -> {
      switch (this) {
        case HIGH -> RocksDbC.rocksdb_env_set_high_priority_background_threads(env, count);
        case LOW -> RocksDbC.rocksdb_env_set_low_priority_background_threads(env, count);
        case BOTTOM -> RocksDbC.rocksdb_env_set_bottom_priority_background_threads(env, count);
      }
    });
  }

  public void lowerCpuPriority() {
    use(
        switch (this) {
          case HIGH -> RocksDbC::rocksdb_env_lower_high_priority_thread_pool_cpu_priority;
          case LOW -> RocksDbC::rocksdb_env_lower_thread_pool_cpu_priority;
          case BOTTOM -> throw hasNoFunction();
        });
  }

  public void lowerIoPriority() {
    use(
        switch (this) {
          case HIGH -> RocksDbC::rocksdb_env_lower_high_priority_thread_pool_io_priority;
          case LOW -> RocksDbC::rocksdb_env_lower_thread_pool_io_priority;
          case BOTTOM -> throw hasNoFunction();
        });
  }

  private static UnsupportedOperationException hasNoFunction() {
    return new UnsupportedOperationException(
        "the engine's C API lowers no priority of the pool BOTTOM: leave it without threads, and LOW does its work");
  }

  private static int ask(ToIntFunction<MemorySegment> question) {
    int[] answer = new int[1];
    use(env -> answer[0] = question.applyAsInt(env));
    return answer[0];
  }

  private static void use(Consumer<MemorySegment> work) {
    NativeLibrary.load();
    MemorySegment env = RocksDbC.rocksdb_create_default_env();
    try {
      work.accept(env);
    } finally {
      RocksDbC.rocksdb_env_destroy(env); // the default environment itself stays
    }
  }
}
