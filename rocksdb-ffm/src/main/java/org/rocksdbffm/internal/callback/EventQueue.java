/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Events on their way from the engine's threads to a listener, which a thread of this object tells of them: so the
 * listener may take its time, call the database, throw, and end the process, and the engine waits for none of it. Where
 * too many wait, later ones are dropped and counted.
 */
final class EventQueue {
  private static final int MOST = 1024;

  private final RawEvent.Listener listener;
  private final Consumer<Throwable> failures;

  // Under the lock of this object.
  private final Queue<RawEvent> events = new ArrayDeque<>();
  private long dropped;
  private Thread teller;
  private boolean ended;

  /** A queue whose thread begins with its first event. */
  EventQueue(RawEvent.Listener listener, Consumer<Throwable> failures) {
    this.listener = listener;
    this.failures = failures;
  }

  synchronized void add(RawEvent event) {
    if (events.size() == MOST) {
      dropped++;
      return;
    }
    events.add(event);
    if (teller == null) {
      teller = ServiceThread.start("events of a database", this::tell); // the next event tries it again where there is no thread now
    }
    notifyAll();
  }

  /** Has the thread end when it has told all that is here. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  private void tell() {
    while (true) {
      RawEvent event = take();
      if (event == null) {
        return;
      }
      try {
        listener.told(event);
      } catch (Throwable e) {
        failures.accept(e);
      }
    }
  }

  /** The next event; null if there will be none any more. */
  private synchronized RawEvent take() {
    while (events.isEmpty()) {
      if (dropped != 0) {
        long count = dropped;
        dropped = 0;
        return new RawEvent.Dropped(count);
      }
      if (ended) {
        return null;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        continue; // by the listener itself, if by anybody
      }
    }
    return events.remove();
  }
}
