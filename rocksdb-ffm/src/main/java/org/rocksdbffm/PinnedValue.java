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
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.handoff.AsynchronousWrite;
import org.rocksdbffm.internal.handoff.Lease;
import org.rocksdbffm.internal.handoff.LeasePublisher;
import org.rocksdbffm.internal.handoff.LeasedStream;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.pin.SampledPin;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * A value that stays where the engine has it, without a copy, until its last holder lets go. Its owner
 * must close it.
 *
 * <p>The value itself is thread-safe and may travel: it can be kept after the call, handed to another
 * thread, and held by several holders ({@link #retain}, {@link #close}). Its bytes are seen through views,
 * each confined to the thread that opened it: {@link #view} for a thread that was handed the value, or
 * {@link #segment} for the simple case in which one thread reads and closes it. An open view keeps the
 * bytes whatever the holders do.
 *
 * <p>It goes out without a copy by {@code writeTo}, to a channel that blocks or not, and to the JDK's asynchronous
 * channels. A stream and a publisher copy piece by piece, because what they give away may be kept.
 *
 * <p>While it is pinned it keeps a block of the cache, or a file, of its database, so let go soon. If the
 * database is closed meanwhile, the value stays readable; see {@link RocksDb#close}.
 */
public sealed class PinnedValue extends Pinned {
  private final NativeFamily family;
  private final long address;
  private final long pin;

  // Unsigned: the engine's values have less than 4 GiB, and the object has 48 bytes.
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

  /** Pins what the call asks for, and leaves the call; null if there is no such key. */
  static PinnedValue read(ReadPath path, Call call) {
    try {
      return path.pin(call) ? of(path.family(), call) : null;
    } finally {
      call.exit();
    }
  }

  /** Copies what the call asks for, or pins it for somebody, and leaves the call; see {@link KeyReader#getInto}. */
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

  // Apart, because it is rare and large, which keeps the compiler from inlining what is around it.
  @Override
  String name() {
    return "pinned value of " + family.handle();
  }

  @Override
  void release() {
    family.release(pin, size());
  }

  /**
   * How many bytes the value has.
   *
   * @return the size; also after the last holder let go
   */
  public final long size() {
    return Integer.toUnsignedLong(size);
  }

  /**
   * The value's bytes, read-only, for a thread that reads and closes the value itself: <em>borrowed
   * until</em> that thread closes it. They are confined to the thread that asks first; use {@link #view}
   * where several do.
   *
   * @return the bytes
   */
  public final MemorySegment segment() {
    return Memory.view(address, size(), ownArena());
  }

  /**
   * Opens a view of the value's bytes for the current thread.
   *
   * @return the view, which the caller <em>owns</em> and must close
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

  /** Keeps the bytes beside the holders, for what shows them to nobody or to each thread by itself. */
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
   * The value's bytes, read-only, in memory that lives as long as an arena: the value stays pinned until the arena is
   * closed, or collected, whatever the holders do.
   *
   * @param arena of any kind that can be closed or collected
   * @return the bytes
   */
  public final MemorySegment segment(Arena arena) {
    requireNonNull(arena, "arena");
    Lease lease = lease();
    try {
      return lease.viewIn(arena);
    } catch (Throwable e) {
      lease.end(); // the arena is closed, another thread's, or of the user's making
      throw e;
    }
  }

  /**
   * A part of the value as a value of its own, which keeps the whole pinned until its last holder lets go.
   *
   * @param offset where the part begins
   * @param size how many bytes it has
   * @return the part, which the caller <em>owns</em> and must close
   */
  public final PinnedValue slice(long offset, long size) {
    Objects.checkFromIndexSize(offset, size, size());
    return partOf(this, address + offset, size);
  }

  /** A value within what is pinned as a whole. */
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
   * Writes the whole value to a channel that blocks, without a copy. To a channel of the JDK's it goes straight from
   * where it lies; any other channel sees read-only buffers, which are dead once this method returns.
   *
   * @param channel not in non-blocking mode
   * @return how many bytes were written: the value's size
   * @throws IOException if the channel fails, or takes nothing
   */
  public final long writeTo(WritableByteChannel channel) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).writeAll(channel);
    }
  }

  /**
   * Writes what the channel takes at once of the value from a position on, without a copy: for channels in
   * non-blocking mode. The caller keeps count of what was written.
   *
   * @param channel blocking or not
   * @param position how many bytes were written before
   * @return how many bytes were written now; 0 if the channel is full, or the position is the value's size
   * @throws IOException if the channel fails
   */
  public final long writeTo(WritableByteChannel channel, long position) throws IOException {
    requireNonNull(channel, "channel");
    try (View view = view()) {
      return new BufferRun(view.buffers()).from(position).writeSome(channel);
    }
  }

  /**
   * Writes the whole value to an asynchronous channel. The write keeps the value pinned until it is over, so the
   * caller may close it at once. The JDK's channels take the bytes from where they are; any other one gets copies.
   *
   * @param channel with no other write in progress
   * @return the value's size, or the channel's failure; completed after the write has let go of the value. To cancel it
   *     does not stop the write: closing the channel does. If the channel's executor discards tasks, nobody answers:
   *     the value is let go of, and the future fails, once the collector finds that the channel dropped the write
   */
  public final CompletableFuture<Long> writeTo(AsynchronousByteChannel channel) {
    requireNonNull(channel, "channel");
    return AsynchronousWrite.to(channel, lease());
  }

  /**
   * Writes the whole value to a file; see {@link #writeTo(AsynchronousByteChannel)}.
   *
   * @param channel open for writing
   * @param start where in the file the value begins
   * @return the value's size, or the channel's failure; completed after the write has let go of the value
   */
  public final CompletableFuture<Long> writeTo(AsynchronousFileChannel channel, long start) {
    requireNonNull(channel, "channel");
    if (start < 0) {
      throw new IllegalArgumentException("start: " + start + " is negative");
    }
    return AsynchronousWrite.to(channel, start, lease());
  }

  /**
   * The value as a stream, for any thread, which copies what is read from it. It keeps the value pinned until it is
   * closed, whatever the holders do.
   *
   * @return the stream, which the caller <em>owns</em> and must close; it can be marked and reset
   */
  public final InputStream inputStream() {
    return new LeasedStream(lease(), name());
  }

  /**
   * The value for a reactive subscriber, in pieces of 16 KiB at most; with {@link #size} it makes a body for the JDK's
   * HTTP client. The pieces are copies, made when they are asked for, because a subscriber may keep them and nobody says
   * when it is done. Each subscription keeps the value pinned until its last piece was handed over, or until it is
   * cancelled; the value must be held by somebody when it begins.
   *
   * @return the publisher, which itself keeps nothing
   */
  public final Flow.Publisher<ByteBuffer> publisher() {
    return new LeasePublisher(() -> LeasePublisher.copiesOf(lease()));
  }

  /**
   * The value for a reactive subscriber without a copy: the pieces live as long as the arena, which keeps the value
   * pinned.
   *
   * @param arena that every thread may read: a shared one, which is closed when the subscriber is done, or an
   *     automatic one
   * @return the publisher
   */
  public final Flow.Publisher<ByteBuffer> publisher(Arena arena) {
    MemorySegment bytes = segment(arena);
    return new LeasePublisher(() -> LeasePublisher.partsOf(bytes));
  }

  /**
   * Adds a holder, who must let go by a {@link #close} of its own.
   *
   * @return this value
   */
  public final PinnedValue retain() {
    addHolder();
    return this;
  }

  /** A value that is missed when nobody closes it. */
  private static final class Watched extends PinnedValue {
    private final SampledPin watched;
    private final LeakWatch watch;

    Watched(NativeFamily family, long address, long size, long pin) {
      super(family, address, size, pin);
      watched = new SampledPin(family.database().pins(), name(), () -> family.release(pin, size));
      watch = LeakWatch.over(this, watched);
    }

    @Override
    void viewed() {
      watched.viewed();
    }

    @Override
    void release() {
      watched.release();
      watch.end();
    }
  }

  /** A part of something that is pinned as a whole, which it keeps like a view. */
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

  /** The bytes of a pinned value as one thread sees them; for that thread alone. */
  public static final class View implements AutoCloseable {
    private final PinnedValue value;
    private final Arena arena = Arena.ofConfined();

    private View(PinnedValue value) {
      this.value = value;
    }

    /**
     * The value's bytes.
     *
     * @return read-only memory, <em>borrowed until</em> this view is closed, and confined to this thread
     */
    public MemorySegment segment() {
      requireOpen(arena, value);
      return Memory.view(value.address, value.size(), arena);
    }

    /**
     * The value's bytes as one buffer.
     *
     * @return a read-only buffer, <em>borrowed until</em> this view is closed, and confined to this thread
     * @throws IllegalStateException if the value has more bytes than a buffer can show; see {@link #buffers}
     */
    public ByteBuffer buffer() {
      if (value.size() > Integer.MAX_VALUE) {
        throw new IllegalStateException(
            value.name() + " has " + value.size() + " bytes, more than one buffer can show: take buffers()");
      }
      return segment().asByteBuffer();
    }

    /**
     * The value's bytes as buffers of 1 GiB at most, of which there is one for all but the largest values.
     *
     * @return read-only buffers, <em>borrowed until</em> this view is closed, and confined to this thread
     */
    public List<ByteBuffer> buffers() {
      return BufferRun.of(segment());
    }

    /** Ends the view; idempotent. */
    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
        value.closeView();
      }
    }
  }

  @Override
  public String toString() {
    return "pinned value of " + size + " bytes of " + family.handle();
  }
}
