/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * A share of an engine object that databases use together. The engine counts the users: closing releases only this
 * share, and databases that were opened with the object keep theirs. Thread-safe.
 */
public abstract class NativeShare implements HandledResource {
  private final MemorySegment pointer;
  private final Handle handle;
  private final LiveObjects kind;
  private final AtomicBoolean ended = new AtomicBoolean();

  NativeShare(MemorySegment pointer, String name, LiveObjects kind) {
    this.pointer = pointer;
    this.handle = new Handle(name);
    this.kind = kind;
    kind.made();
  }

  /** Enters a call that keeps the share until the call is closed. */
  final Call enter() {
    return Call.enter(handle);
  }

  final MemorySegment pointer() {
    return pointer;
  }

  final long ask(ToLongFunction<MemorySegment> question) {
    try (Call _ = enter()) {
      return question.applyAsLong(pointer);
    }
  }

  /** Runs {@code work} on the engine object, which is kept until it returns. */
  final void use(Consumer<MemorySegment> work) {
    try (Call _ = enter()) {
      work.accept(pointer);
    }
  }

  /** Releases the engine's share, once no call uses it. */
  abstract void destroy(MemorySegment pointer);

  /** Ends the user's share, after the last call. */
  void end() {
    destroy();
  }

  final void destroy() {
    destroy(pointer);
    kind.freed();
  }

  @Override
  public Handle handle() {
    return handle;
  }

  /** Idempotent; waits for calls in flight. */
  public void close() {
    handle.close();
    if (ended.compareAndSet(false, true)) {
      end();
    }
  }
}
