/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.rocksdbffm.internal.leak.ServiceThread;

/**
 * A queue of events from the engine's threads to a listener, which runs on a separate thread, one event at a time. So
 * it may be slow, call the database, throw, or end the process, and the engine never waits for it. Thread-safe.
 */
final class Deliveries<T> {
  private final String name;
  private final Consumer<? super T> listener;
  private final Consumer<Throwable> failures;

  // Guarded by this.
  private final Deque<T> waiting = new ArrayDeque<>();
  private Thread thread;
  private boolean ended;

  /** {@code name}: the thread's name. The thread starts with the first event. */
  Deliveries(String name, Consumer<? super T> listener, Consumer<Throwable> failures) {
    this.name = name;
    this.listener = listener;
    this.failures = failures;
  }

  /** Changes the queue. */
  synchronized void change(Consumer<Deque<T>> change) {
    change.accept(waiting);
    if (thread == null) {
      thread = ServiceThread.start(name, this::deliver); // if no thread can be started, the next change tries again
    }
    notifyAll();
  }

  /** Makes the thread end after it has delivered all queued events. */
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

  /** Returns the next event; null after the end. */
  private synchronized T take() {
    while (waiting.isEmpty() && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        continue; // only the listener itself interrupts this thread
      }
    }
    return waiting.poll();
  }
}
