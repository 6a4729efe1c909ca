/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.rocksdbffm.internal.leak.ServiceThread;

/**
 * Things on their way from the engine's threads to a listener, which gets them one at a time on a thread of this object: so
 * it may take its time, call the database, throw, and end the process, and the engine waits for none of it. Thread-safe.
 */
final class Deliveries<T> {
  private final String name;
  private final Consumer<? super T> listener;
  private final Consumer<Throwable> failures;

  // Under the lock of this object.
  private final Deque<T> waiting = new ArrayDeque<>();
  private Thread thread;
  private boolean ended;

  /** The name is that of the thread, which begins with the first thing. */
  Deliveries(String name, Consumer<? super T> listener, Consumer<Throwable> failures) {
    this.name = name;
    this.listener = listener;
    this.failures = failures;
  }

  /** Changes what waits to be delivered. */
  synchronized void change(Consumer<Deque<T>> change) {
    change.accept(waiting);
    if (thread == null) {
      thread = ServiceThread.start(name, this::deliver); // the next change tries it again where there is no thread now
    }
    notifyAll();
  }

  /** Has the thread end when it has delivered all that waits. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  private void deliver() {
    for (T next = take(); next != null; next = take()) {
      try {
        listener.accept(next);
      } catch (Throwable e) {
        failures.accept(e);
      }
    }
  }

  /** Null if there will be none any more. */
  private synchronized T take() {
    while (waiting.isEmpty() && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        continue; // by the listener itself, if by anybody
      }
    }
    return waiting.poll();
  }
}
