/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.handoff.AsynchronousWrite;
import org.rocksdbffm.internal.handoff.Lease;
import org.rocksdbffm.internal.handoff.LeasePublisher;
import org.rocksdbffm.internal.handoff.LeasedStream;
import org.rocksdbffm.internal.pin.SampledPin;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * A value in the engine's memory, without a copy, which stays valid until its last holder releases it. Its owner must
 * close it.
 *
 * <p>The value itself is thread-safe: it can be kept after the call, passed to another thread, and have several holders
 * ({@link #retain}, {@link #close}). Its bytes are read through views, each confined to the thread that opened it:
 * {@link #view} for any thread, or {@link #segment} for the simple case in which one thread reads and closes the value.
 * An open view keeps the bytes valid independently of the holders.
 *
 * <p>{@code writeTo} writes it without a copy to blocking and non-blocking channels, and to the JDK's asynchronous
 * channels. A stream and a publisher copy it piece by piece, because their receivers may keep the pieces.
 *
 * <p>A pinned value retains a cache block or a file of its database, so close it soon. If the database is closed
 * before, the value stays readable; see {@link RocksDb#close}.
 */
public sealed class PinnedValue extends Pinned {
  private final NativeFamily family;
  private final long address;
  private final long pin;

  // Unsigned: the engine's values have less than 4 GiB, and an int keeps the object at 48 bytes.
  private final int size;

  static {
    Lease.offer(value -> ((PinnedValue) value).lease());
  }

  private PinnedValue(NativeFamily family, long address, long size, long pin) {
    this.family = family;
    this.address = address;
    this.size = (int) size;
    this.pin = pin;
  }

  /** Pins the value of the call's key, and exits the call; returns null if the key is missing. */
  static PinnedValue read(ReadPath path, Call call) {
    try {
      return path.pin(call) ? of(path.family(), call) : null;
    } finally {
      call.exit();
    }
  }

  /** Pins the value of the call's key and exits the call; returns null if the value may be in a file. */
  static CompletableFuture<PinnedValue> readCached(ReadPath path, Call call) {
    try {
      int found = path.pinCached(call);
      return found == ReadPath.NOT_CACHED
          ? null
          : CompletableFuture.completedFuture(found == Codes.NOT_FOUND ? null : of(path.family(), call));
    } finally {
      call.exit();
    }
  }

  /** Copies or pins the value of the call's key, and exits the call; see {@link KeyReader#getInto}. */
  static long readInto(ReadPath path, Call call, MemorySegment target, Consumer<? super PinnedValue> otherwise) {
    long size;
    PinnedValue value;
    try {
      size = path.intoOrPin(call, target);
      if (size <= target.byteSize()) {
        return size;
      }
      value = of(path.family(), call);
    } finally {
      call.exit();
    }
    otherwise.accept(value);
    return size;
  }

  private static PinnedValue of(NativeFamily family, Call call) {
    try {
      return SampledPin.isDue(family.database().pins(), call.isOneIn(SampledPin.ONE_IN))
          ? new Watched(family, call.address(), call.size(), call.pin())
          : new PinnedValue(family, call.address(), call.size(), call.pin());
    } catch (Throwable e) {
      family.release(call.pin(), call.size());
      throw e;
    }
  }

  // A separate method, because it is rarely used and large: inlined, it would keep its callers from being inlined.
  @Override
  String name() {
    return "pinned value of " + family.handle();
  }

  @Override
  void release() {
    family.release(pin, size());
  }

  /**
   * Returns the size of the value in bytes.
   *
   * @return the size; also after the last holder released the value
   */
  public final long size() {
    return Integer.toUnsignedLong(size);
  }

  /**
   * Returns the value's bytes, read-only, for a thread that reads and closes the value itself: <em>borrowed until</em>
   * that thread closes it, and confined to the first thread that calls this. Use {@link #view} if several threads read
   * it.
   *
   * @return the bytes
   * @throws IllegalStateException if the value is released
   */
  public final MemorySegment segment() {
    return Memory.view(address, size(), ownArena());
  }

  /**
   * Opens a view of the value's bytes for the current thread.
   *
   * @return the view, which the caller <em>owns</em> and must close
   * @throws IllegalStateException if the value is released
   */
  public final View view() {
    openView();
    try {
      return new View(this);
    } catch (Throwable e) {
      closeView();
      throw e;
    }
  }

  /** Leases the bytes in addition to the holders, for code that reads them on changing threads. */
  private Lease lease() {
    openView();
    try {
      return new Lease(address, size(), this::closeView);
    } catch (Throwable e) {
      closeView();
      throw e;
    }
  }

  /**
   * Returns the value's bytes, read-only, with the lifetime of an arena: the value stays pinned until the arena is
   * closed or collected, independently of the holders.
   *
   * @param arena any arena that can be closed or collected
   * @return the bytes
   * @throws IllegalStateException if the value is released
   */
  public final MemorySegment segment(Arena arena) {
    requireNonNull(arena, "arena");
    Lease lease = lease();
    try {
      return lease.viewIn(arena);
    } catch (Throwable e) {
      lease.end(); // the arena is closed, another thread's, or user code
      throw e;
    }
  }

  /**
   * Returns a part of the value as a separate value, which keeps the whole pinned until its last holder releases it.
   *
   * @param offset the offset of the part
   * @param size the size of the part
   * @return the part, which the caller <em>owns</em> and must close
   * @throws IllegalStateException if the value is released
   */
  public final PinnedValue slice(long offset, long size) {
    Objects.checkFromIndexSize(offset, size, size());
    return partOf(this, address + offset, size);
  }

  /** Returns a value that is a part of pinned memory. */
  static PinnedValue partOf(Pinned whole, long address, long size) {
    whole.openView();
    try {
      return new Part(whole, address, size);
    } catch (Throwable e) {
      whole.closeView();
      throw e;
    }
  }

  /**
   * Writes the whole value to a blocking channel, without a copy. A channel of the JDK writes directly from the
   * engine's memory; other channels get read-only buffers that become invalid when this method returns.
   *
   * @param channel must not be in non-blocking mode
   * @return the number of bytes written: the value's size
   * @throws IOException if the channel fails, or accepts no bytes
   */
  public final long writeTo(WritableByteChannel channel) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).writeAll(channel);
    }
  }

  /**
   * Writes as much of the value as the channel accepts in one write, from a position on, without a copy: for
   * non-blocking channels. The caller adds up the bytes that were written.
   *
   * @param channel blocking or non-blocking
   * @param position the number of bytes that were written before
   * @return the number of bytes written by this call; 0 if the channel is full, or the position is the value's size
   * @throws IOException if the channel fails
   */
  public final long writeTo(WritableByteChannel channel, long position) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).from(position).writeSome(channel);
    }
  }

  /**
   * Writes the whole value to an asynchronous channel. The value stays pinned during the write, so the caller may close
   * it immediately. The JDK's channels write directly from the engine's memory; other channels get copies.
   *
   * @param channel must have no other write in progress
   * @return the value's size, or the channel's failure; completed after the write has released the value. Cancelling it
   *     does not stop the write; closing the channel does. If the channel's executor discards tasks, the future fails,
   *     and the value is released, when the garbage collector finds that the channel dropped the write
   */
  public final CompletableFuture<Long> writeTo(AsynchronousByteChannel channel) {
    requireNonNull(channel, "channel");
    return AsynchronousWrite.to(channel, lease());
  }

  /**
   * Writes the whole value to a file; see {@link #writeTo(AsynchronousByteChannel)}.
   *
   * @param channel open for writing
   * @param start the position in the file
   * @return the value's size, or the channel's failure; completed after the write has released the value
   */
  public final CompletableFuture<Long> writeTo(AsynchronousFileChannel channel, long start) {
    requireNonNull(channel, "channel");
    if (start < 0) {
      throw new IllegalArgumentException("start: " + start + " is negative");
    }
    return AsynchronousWrite.to(channel, start, lease());
  }

  /**
   * Returns the value as a stream for any thread, which copies the bytes that are read. The value stays pinned until
   * the stream is closed, independently of the holders.
   *
   * @return the stream, which the caller <em>owns</em> and must close; it supports mark and reset
   * @throws IllegalStateException if the value is released
   */
  public final InputStream inputStream() {
    return new LeasedStream(lease(), name());
  }

  /**
   * Returns a publisher of the value in pieces of at most 16 KiB; with {@link #size} it can be a body for the JDK's
   * HTTP client. The pieces are copied on demand, because a subscriber may keep them. Each subscription keeps the value
   * pinned until its last piece is delivered, or it is cancelled; the value must have a holder when it starts.
   *
   * @return the publisher, which itself does not keep the value pinned
   */
  public final Flow.Publisher<ByteBuffer> publisher() {
    return new LeasePublisher(() -> LeasePublisher.copiesOf(lease()));
  }

  /**
   * Returns a publisher of the value without copies: the pieces have the lifetime of the arena, which keeps the value
   * pinned.
   *
   * @param arena must be accessible by every thread: a shared arena, closed when the subscriber is done, or an
   *     automatic arena
   * @return the publisher
   */
  public final Flow.Publisher<ByteBuffer> publisher(Arena arena) {
    MemorySegment bytes = segment(arena);
    return new LeasePublisher(() -> LeasePublisher.partsOf(bytes));
  }

  /**
   * Adds a holder, which must be removed by another {@link #close}.
   *
   * @return this value
   * @throws IllegalStateException if the value is released
   */
  public final PinnedValue retain() {
    addHolder();
    return this;
  }

  /** A value that is watched for leaks. */
  private static final class Watched extends PinnedValue {
    private final SampledPin watched;

    Watched(NativeFamily family, long address, long size, long pin) {
      super(family, address, size, pin);
      watched = new SampledPin(this, family.database().pins(), name(), () -> family.release(pin, size));
    }

    @Override
    void viewed() {
      watched.viewed();
    }

    @Override
    void release() {
      watched.release();
    }
  }

  /** A part of pinned memory, which it keeps pinned like a view. */
  private static final class Part extends PinnedValue {
    private final Pinned whole;

    Part(Pinned whole, long address, long size) {
      super(null, address, size, 0);
      this.whole = whole;
    }

    @Override
    String name() {
      return "part of " + whole.name();
    }

    @Override
    void release() {
      whole.closeView();
    }
  }

  /** A view of a pinned value's bytes for one thread. */
  public static final class View implements AutoCloseable {
    private final PinnedValue value;
    private final Arena arena = Arena.ofConfined();

    private View(PinnedValue value) {
      this.value = value;
    }

    /**
     * Returns the value's bytes.
     *
     * @return read-only memory, <em>borrowed until</em> this view is closed, and confined to this thread
     */
    public MemorySegment segment() {
      requireOpen(arena, value);
      return Memory.view(value.address, value.size(), arena);
    }

    /**
     * Returns the value's bytes as one buffer.
     *
     * @return a read-only buffer, <em>borrowed until</em> this view is closed, and confined to this thread
     * @throws IllegalStateException if the value is too large for one buffer; see {@link #buffers}
     */
    public ByteBuffer buffer() {
      if (value.size() > Integer.MAX_VALUE) {
        throw new IllegalStateException(
            value.name() + " has " + value.size() + " bytes, more than one buffer can show: take buffers()");
      }
      return segment().asByteBuffer();
    }

    /**
     * Returns the value's bytes as buffers of at most 1 GiB; only very large values need more than one.
     *
     * @return read-only buffers, <em>borrowed until</em> this view is closed, and confined to this thread
     */
    public List<ByteBuffer> buffers() {
      return BufferRun.of(segment());
    }

    /** Closes the view; idempotent. */
    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
        value.closeView();
      }
    }

    @Override
    public String toString() {
      return "view of " + value.name();
    }
  }

  @Override
  public String toString() {
    return name() + ": " + size() + " bytes";
  }
}
