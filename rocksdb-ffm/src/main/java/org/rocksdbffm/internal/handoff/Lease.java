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
 * Pinned memory that is lent to code other than this library's user: a channel of the JDK's, a stream, another
 * module. It <em>owns</em> a share of the pin and ends once, on any thread.
 *
 * <p>Threads see the bytes through views, one confined to each. The end closes its own thread's view. A view that
 * another thread still has open keeps the memory until it cannot be reached any more; so no view ever shows memory
 * that is gone, and nothing has to stop other threads.
 */
public final class Lease {
  private static final AtomicReference<Function<Object, Lease>> OPENER = new AtomicReference<>();

  private final long address;
  private final long size;
  private final Runnable letGo;

  // Guarded by this.
  private List<Glance> glances;
  private boolean ended;

  // The first thread's, which mostly is the only one: looked at without a lock.
  private Glance first;

  /** <em>Owns</em> the share that letting go gives back. */
  public Lease(long address, long size, Runnable letGo) {
    this.address = address;
    this.size = size;
    this.letGo = letGo;
  }

  /** Says how a pinned value is leased, which only its own package knows. */
  public static void offer(Function<Object, Lease> opener) {
    OPENER.set(opener);
  }

  /** A lease of a pinned value, beside its holders; throws if nobody holds the value any more. */
  public static Lease of(Object pinnedValue) {
    return OPENER.get().apply(pinnedValue);
  }

  /** Where the bytes are, for native code that is done before this lease ends. */
  public long address() {
    return address;
  }

  public long size() {
    return size;
  }

  /** The bytes for the current thread, read-only; throws if the lease has ended. */
  public MemorySegment view() {
    Glance mine = first;
    return mine != null && mine.viewer == Thread.currentThread() ? mine.segment : openedView();
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

  /** The bytes for as long as the arena lives; this lease ends when that is closed or collected. */
  public MemorySegment viewIn(Arena arena) {
    return Memory.view(address, size, arena, this::end);
  }

  /** Copies some of the bytes; throws if the lease has ended, and keeps it from ending meanwhile. */
  public synchronized void copy(long from, byte[] target, int offset, int length) {
    requireRunning();
    java.util.Objects.checkFromIndexSize(from, length, size);
    Memory.copy(address + from, target, offset, length);
  }

  private void requireRunning() {
    if (ended) {
      throw new IllegalStateException("the pinned bytes were given back");
    }
  }

  /** Bytes without a lifetime, for code of the JDK's that is done with them before this lease ends. */
  ByteBuffer unscoped(long from, int length) {
    return Memory.at(address + from, length).asReadOnly().asByteBuffer();
  }

  /** Gives the share back; idempotent. */
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
      letGo.run();
    } else {
      endAfter(open);
    }
  }

  private void endAfter(List<Glance> open) {
    AtomicInteger sharers = new AtomicInteger(1);
    Runnable leave = () -> {
      if (sharers.decrementAndGet() == 0) {
        letGo.run();
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

  /** The bytes as one thread sees them. */
  private static final class Glance {
    final Thread viewer = Thread.currentThread();
    final Arena arena = Arena.ofConfined();
    final MemorySegment segment;

    Glance(long address, long size) {
      segment = Memory.view(address, size, arena);
    }

    /** Every segment of an arena holds its scope, if that is one object; else nobody knows when they are gone. */
    void leaveWhenUnreachable(Runnable leave) {
      if (segment.scope() == arena.scope()) {
        Reclaimer.whenUnreachable(arena.scope(), segment.byteSize(), leave);
      }
    }
  }
}
