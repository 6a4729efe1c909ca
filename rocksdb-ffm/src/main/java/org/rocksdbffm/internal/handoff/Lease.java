/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.handoff;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.Reclaimer;

/**
 * Pinned memory that is lent to code outside this library: a channel of the JDK, a stream, another module.
 * <em>Owns</em> a share of the pin, and ends once, on any thread.
 *
 * <p>Each thread reads the bytes through a view that is confined to it. The end closes the view of the ending thread.
 * A view of another thread keeps the memory pinned until it is unreachable, so no view ever shows freed memory, and
 * no thread has to be stopped.
 */
public final class Lease {
  private static final AtomicReference<Function<Object, Lease>> OPENER = new AtomicReference<>();

  private final long address;
  private final long size;
  private final Runnable onRelease;

  // Guarded by this.
  private List<Glance> glances;
  private boolean ended;

  // The view of the first thread, usually the only one: read without the lock.
  private Glance first;

  /** <em>Owns</em> a share of the pin, which {@code onRelease} releases. */
  public Lease(long address, long size, Runnable onRelease) {
    this.address = address;
    this.size = size;
    this.onRelease = onRelease;
  }

  /** Sets the function that leases a pinned value, which only the package of pinned values can do. */
  public static void offer(Function<Object, Lease> opener) {
    OPENER.set(opener);
  }

  /** Leases a pinned value, in addition to its holders; throws if no holder is left. */
  public static Lease of(Object pinnedValue) {
    return OPENER.get().apply(pinnedValue);
  }

  /** Returns the address of the bytes, for native code that returns before this lease ends. */
  public long address() {
    return address;
  }

  public long size() {
    return size;
  }

  /** Returns the bytes read-only, confined to the current thread; throws if the lease has ended. */
  public MemorySegment view() {
    Glance glance = first;
    return glance != null && glance.viewer == Thread.currentThread() ? glance.segment : openedView();
  }

  private synchronized MemorySegment openedView() {
    requireRunning();
    if (glances == null) {
      glances = new ArrayList<>(1);
    }
    Thread thread = Thread.currentThread();
    for (Glance glance : glances) {
      if (glance.viewer == thread) {
        return glance.segment;
      }
    }
    glances.removeIf(glance -> !glance.viewer.isAlive());
    Glance opened = new Glance(address, size);
    glances.add(opened);
    if (first == null) {
      first = opened;
    }
    return opened.segment;
  }

  /** Returns the bytes with the lifetime of an arena; this lease ends when the arena is closed or collected. */
  public MemorySegment viewIn(Arena arena) {
    return Memory.view(address, size, arena, this::end);
  }

  /** Copies a part of the bytes. Throws if the lease has ended; delays a concurrent end until the copy is made. */
  public synchronized void copy(long from, byte[] target, int offset, int length) {
    requireRunning();
    java.util.Objects.checkFromIndexSize(from, length, size);
    Memory.copy(address + from, target, offset, length);
  }

  private void requireRunning() {
    if (ended) {
      throw new IllegalStateException(
          "the pinned bytes were released: a channel or subscriber reads them until its write ends");
    }
  }

  /** Returns a buffer without a lifetime, for JDK code that stops using it before this lease ends. */
  ByteBuffer unscoped(long from, int length) {
    return Memory.at(address + from, length).asReadOnly().asByteBuffer();
  }

  /** Releases the share of the pin; idempotent. */
  public void end() {
    List<Glance> open;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      open = glances;
      glances = null;
      first = null;
    }
    if (open == null) {
      onRelease.run();
    } else {
      endAfter(open);
    }
  }

  private void endAfter(List<Glance> open) {
    AtomicInteger sharers = new AtomicInteger(1);
    Runnable leave = () -> {
      if (sharers.decrementAndGet() == 0) {
        onRelease.run();
      }
    };
    for (Glance glance : open) {
      if (glance.viewer == Thread.currentThread()) {
        glance.arena.close();
      } else if (glance.viewer.isAlive()) {
        sharers.incrementAndGet();
        glance.leaveWhenUnreachable(leave);
      }
    }
    leave.run();
  }

  /** The view of one thread. */
  private static final class Glance {
    final Thread viewer = Thread.currentThread();
    final Arena arena = Arena.ofConfined();
    final MemorySegment segment;

    Glance(long address, long size) {
      segment = Memory.view(address, size, arena);
    }

    /**
     * Runs {@code leave} once the view is unreachable. Needs a JVM in which every segment of an arena references the
     * same scope object; in another, the memory stays pinned.
     */
    void leaveWhenUnreachable(Runnable leave) {
      if (segment.scope() == arena.scope()) {
        Reclaimer.whenUnreachable(arena.scope(), segment.byteSize(), leave);
      }
    }
  }
}
