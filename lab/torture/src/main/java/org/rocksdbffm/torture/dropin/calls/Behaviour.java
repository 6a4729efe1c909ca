/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.WalFilter;
import org.rocksdb.WalProcessingOption;

/**
 * The code of the methods of a {@link Subclass} that the engine calls. Thread-safe.
 *
 * @param kind the kind of answer
 * @param step the step to run again from the callback, for {@link Kind#AGAIN}
 */
public record Behaviour(Kind kind, int step, int number, CallResults pool, IntConsumer runner, AtomicInteger calls) {
  private static final int MOST_AGAIN = 5;
  private static final int MOST_KEPT = 4;

  /** How a callback answers. */
  enum Kind {
    PLAIN,
    THROWS,
    THROWS_ERROR,
    ODD,
    /** Runs an earlier step again, and then returns a valid result. */
    AGAIN
  }

  /** Called by the code of the subclass. */
  public Object called(String method, Class<?> type, Object[] arguments) {
    int call = calls.getAndIncrement();
    keep(call, arguments);
    if (method.equals("name") && kind != Kind.ODD) {
      return "fuzzed";
    }
    switch (kind) {
      case THROWS -> throw new IllegalStateException("thrown by the fuzzer");
      case THROWS_ERROR -> throw new AssertionError("thrown by the fuzzer");
      case ODD -> {
        return odd(type);
      }
      case AGAIN -> {
        if (call < MOST_AGAIN) {
          runner.accept(step);
        }
      }
      case PLAIN -> {}
    }
    return plain(method, type, arguments);
  }

  /** Keeps borrowed arguments for steps after the call. */
  private void keep(int call, Object[] arguments) {
    for (int i = 0; i < arguments.length && call < MOST_KEPT; i++) {
      if (arguments[i] != null && arguments[i].getClass().getName().startsWith("org.rocksdb")) {
        pool.putIfNew(number + ".c" + i, arguments[i]);
      }
    }
  }

  private static Object odd(Class<?> type) {
    return type == Integer.class
        ? (Object) Integer.MIN_VALUE
        : type == Long.class ? (Object) Long.MIN_VALUE : type == Boolean.class ? Boolean.FALSE : null;
  }

  private static Object plain(String method, Class<?> type, Object[] arguments) {
    if (method.equals("compare")) {
      return ((ByteBuffer) arguments[0]).compareTo((ByteBuffer) arguments[1]);
    }
    if (type == AbstractCompactionFilter.class) {
      return new RemoveEmptyValueCompactionFilter();
    }
    if (type == WalFilter.LogRecordFoundResult.class) {
      return new WalFilter.LogRecordFoundResult(WalProcessingOption.CONTINUE_PROCESSING, false);
    }
    return type == Integer.class
        ? (Object) 0
        : type == Long.class ? (Object) 0L : type == Boolean.class ? Boolean.TRUE : null;
  }
}
