/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Steps that are taken one after the other, and undone in reverse order unless all are. Used by one thread. */
public final class Steps implements AutoCloseable {
  private final Deque<Runnable> undoing = new ArrayDeque<>();

  /** Notes how a step is undone, and returns what it has made. */
  public <T> T taken(T made, Consumer<? super T> undo) {
    undoing.push(() -> undo.accept(made));
    return made;
  }

  /** Nothing is undone any more; returns what all steps have made. */
  public <T> T done(T result) {
    undoing.clear();
    return result;
  }

  @Override
  public void close() {
    Runnable last = undoing.poll();
    if (last != null) {
      try {
        last.run();
      } finally {
        close();
      }
    }
  }
}
