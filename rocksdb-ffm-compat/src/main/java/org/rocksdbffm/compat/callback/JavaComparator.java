/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.callback;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractComparator;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;
import org.rocksdbffm.internal.lifetime.Use;

/**
 * An {@code AbstractComparator}, called by the engine through the C API instead of JNI. Buffers follow {@code
 * ComparatorOptions}: small keys are copied into reused buffers, one pair under a lock or a pair per thread; larger
 * keys get new buffers, which are valid only during the call.
 *
 * <p>If the comparator throws, the keys count as equal, as in rocksdbjni, and the calling {@code org.rocksdb} method
 * fails.
 */
final class JavaComparator extends Callback {
  private static final int SAME = 0;
  private static final MemorySegment COMPARE = Upcalls.to(MethodHandles.lookup(), "compareKeys");

  private final String name; // read early, because the comparator may be collected later
  private final WeakReference<AbstractComparator> code; // retained by the options and databases that use it
  private final boolean direct;
  private final long maxReused;
  private final Pair shared; // used by one thread at a time; null if each thread has a pair
  private final Use use = new Use(); // cheaper than a monitor
  private final ThreadLocal<Pair> own;

  // Threads that compare in new buffers: large keys, and comparisons nested in another comparison.
  private final Set<Long> inOwnBuffers = ConcurrentHashMap.newKeySet();

  private static final class Pair {
    private final Reused a;
    private final Reused b;
    private boolean inUse;

    Pair(Reused a, Reused b) {
      this.a = a;
      this.b = b;
    }
  }

  /** A buffer and its memory, which is written directly: an array, or the address of a direct buffer. */
  private record Reused(ByteBuffer buffer, byte[] array, long address) {
    static Reused of(ByteBuffer buffer) {
      return buffer.hasArray()
          ? new Reused(buffer, buffer.array(), 0)
          : new Reused(buffer, null, MemorySegment.ofBuffer(buffer).address());
    }

    ByteBuffer show(long key, int size) {
      if (array == null) {
        Memory.copy(key, size, address);
      } else {
        Memory.copy(key, array, 0, size);
      }
      return buffer.clear().limit(size);
    }
  }

  JavaComparator(AbstractComparator code, boolean direct, int maxReused, boolean sharing) {
    String javaName = code.name();
    super("comparator", javaName);
    this.name = javaName;
    this.code = new WeakReference<>(code);
    this.direct = direct;
    this.maxReused = maxReused;
    this.shared = sharing && maxReused >= 0 ? newPair() : null;
    this.own = sharing ? null : new ThreadLocal<>();
  }

  private Pair newPair() {
    return new Pair(newBuffer(), newBuffer());
  }

  private Reused newBuffer() {
    int size = (int) maxReused;
    return Reused.of(direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size));
  }

  boolean isDirect() {
    return direct;
  }

  /** Creates a native comparator, which the caller <em>owns</em>. */
  long pointer() {
    return rocksdb_comparator_create(state().address(), DESTROYED.address(), COMPARE.address(), NAME.address());
  }

  @SuppressWarnings("unused") // the engine calls it
  private static int compareKeys(long id, long a, long aSize, long b, long bSize) {
    JavaComparator asked = null;
    try {
      asked = (JavaComparator) at(id);
      return asked.compare(a, aSize, b, bSize);
    } catch (Throwable e) {
      threw(asked, e);
      return SAME;
    }
  }

  private static void threw(JavaComparator asked, Throwable thrown) {
    try {
      Thrown.keep(asked.code.get(), thrown, "two keys were taken for the same");
    } catch (Throwable e) {
      return; // out of memory: the failure cannot be recorded
    }
  }

  private int compare(long a, long aSize, long b, long bSize) {
    if (aSize > maxReused || bSize > maxReused) {
      return compareInOwnBuffers(a, aSize, b, bSize);
    }
    if (shared == null) {
      return compareInBuffersOfThread(a, aSize, b, bSize);
    }
    long thread = Thread.currentThread().threadId();
    if (use.isBy(thread)) {
      return compareInOwnBuffers(a, aSize, b, bSize); // the comparator itself uses a database that it sorts
    }
    use.awaitBegin(thread);
    try {
      return compare(shared, a, aSize, b, bSize);
    } finally {
      use.end();
    }
  }

  private int compareInBuffersOfThread(long a, long aSize, long b, long bSize) {
    Pair pair = own.get();
    if (pair == null) {
      pair = newPair();
      own.set(pair);
    }
    if (pair.inUse) {
      return compareInOwnBuffers(a, aSize, b, bSize);
    }
    pair.inUse = true;
    try {
      return compare(pair, a, aSize, b, bSize);
    } finally {
      pair.inUse = false;
    }
  }

  /** Whether the current thread is comparing keys. */
  boolean isRunningHere() {
    long thread = Thread.currentThread().threadId();
    if (use.isBy(thread) || !inOwnBuffers.isEmpty() && inOwnBuffers.contains(thread)) {
      return true;
    }
    Pair pair = own == null ? null : own.get();
    return pair != null && pair.inUse;
  }

  String name() {
    return name;
  }

  /** Never null while the comparator runs. */
  AbstractComparator code() {
    return code.get();
  }

  private int compare(Pair pair, long a, long aSize, long b, long bSize) {
    return code.get().compare(pair.a.show(a, (int) aSize), pair.b.show(b, (int) bSize));
  }

  private int compareInOwnBuffers(long a, long aSize, long b, long bSize) {
    boolean outermost = inOwnBuffers.add(Thread.currentThread().threadId());
    try {
      return compareInNewBuffers(a, aSize, b, bSize);
    } finally {
      if (outermost) {
        inOwnBuffers.remove(Thread.currentThread().threadId());
      }
    }
  }

  private int compareInNewBuffers(long a, long aSize, long b, long bSize) {
    if (!direct) {
      return code.get().compare(
          ByteBuffer.wrap(Memory.toArray(a, aSize)), ByteBuffer.wrap(Memory.toArray(b, bSize)));
    }
    try (Arena arena = Arena.ofConfined()) {
      return code.get()
          .compare(Memory.view(a, aSize, arena).asByteBuffer(), Memory.view(b, bSize, arena).asByteBuffer());
    }
  }

  private static native long rocksdb_comparator_create(long state, long destructor, long compare, long name);
}
