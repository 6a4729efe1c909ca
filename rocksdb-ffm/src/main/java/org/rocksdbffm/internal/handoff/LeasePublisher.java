/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.handoff;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Publishes bytes in pieces to each subscriber. A subscriber may keep and change a piece, so it gets copies, unless
 * the caller manages the lifetime of the bytes.
 */
public record LeasePublisher(Supplier<Bytes> opener) implements Flow.Publisher<ByteBuffer> {
  private static final int PIECE = 16 << 10;

  /** The bytes for one subscriber. */
  public interface Bytes {
    long size();

    ByteBuffer piece(long from, int length);

    void end();
  }

  /** Publishes copies of leased bytes. */
  public static Bytes copiesOf(Lease lease) {
    return new Bytes() {
      @Override
      public long size() {
        return lease.size();
      }

      @Override
      public ByteBuffer piece(long from, int length) {
        byte[] copy = new byte[length];
        lease.copy(from, copy, 0, length);
        return ByteBuffer.wrap(copy).asReadOnlyBuffer();
      }

      @Override
      public void end() {
        lease.end();
      }
    };
  }

  /** Publishes slices of memory, whose lifetime the caller manages. */
  public static Bytes partsOf(MemorySegment memory) {
    return new Bytes() {
      @Override
      public long size() {
        return memory.byteSize();
      }

      @Override
      public ByteBuffer piece(long from, int length) {
        return memory.asSlice(from, length).asByteBuffer();
      }

      @Override
      public void end() {}
    };
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    Bytes bytes;
    try {
      bytes = opener.get();
    } catch (RuntimeException e) {
      subscriber.onSubscribe(new Subscription(subscriber, null));
      subscriber.onError(e);
      return;
    }
    Subscription subscription = new Subscription(subscriber, bytes);
    try {
      subscriber.onSubscribe(subscription);
    } catch (Throwable e) {
      subscription.over = true;
      throw e;
    } finally {
      subscription.run();
    }
  }

  private static final class Subscription implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final Bytes bytes;
    private final AtomicLong demand = new AtomicLong();

    // The thread that raises it from zero delivers, also for threads that raise it concurrently.
    private final AtomicInteger turns = new AtomicInteger(1);
    private volatile boolean over;
    private volatile long refused = 1; // a requested number that is not positive
    private long position;

    Subscription(Flow.Subscriber<? super ByteBuffer> subscriber, Bytes bytes) {
      this.subscriber = subscriber;
      this.bytes = bytes;
      this.over = bytes == null;
    }

    @Override
    public void request(long count) {
      if (count <= 0) {
        refused = count;
      } else {
        demand.accumulateAndGet(count, (sum, more) -> sum + more < 0 ? Long.MAX_VALUE : sum + more);
      }
      if (turns.getAndIncrement() == 0) {
        run();
      }
    }

    @Override
    public void cancel() {
      over = true;
      if (turns.getAndIncrement() == 0) {
        run();
      }
    }

    /**
     * Delivers the requested pieces, until no thread has raised {@code turns} since. Only one thread runs this at a
     * time.
     */
    void run() {
      int taken = turns.get();
      while (taken != 0) {
        try {
          deliver();
        } catch (Throwable e) {
          over = true;
          fail(e);
        }
        if (over && bytes != null) {
          bytes.end();
        }
        taken = turns.addAndGet(-taken);
      }
    }

    private void deliver() {
      while (!over) {
        if (refused < 1) {
          over = true;
          subscriber.onError(new IllegalArgumentException(
              "count: " + refused + " buffers are requested, but it must be at least 1"));
        } else if (position == bytes.size()) {
          over = true;
          bytes.end();
          subscriber.onComplete();
        } else if (demand.get() == 0) {
          return;
        } else {
          int length = (int) Math.min(bytes.size() - position, PIECE);
          ByteBuffer piece = bytes.piece(position, length);
          position += length;
          demand.decrementAndGet();
          subscriber.onNext(piece);
        }
      }
    }

    /** Ends the subscription of a subscriber that threw, and passes the exception to its {@code onError}. */
    private void fail(Throwable e) {
      bytes.end();
      try {
        subscriber.onError(e);
      } catch (RuntimeException ignored) {
        // Reported to the subscriber already.
      }
    }
  }
}
