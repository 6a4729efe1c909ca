/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongSupplier;
import org.rocksdb.FlinkCompactionFilter.ListElementFilter;
import org.rocksdb.FlinkCompactionFilter.ListElementFilterFactory;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The Java callbacks of a compaction's native filter, which calls them for the current time and for lists. If they
 * throw, the rows are kept. Called on one thread of the engine.
 */
public final class StateFilter extends Callback {
  private static final MemorySegment NOW = Upcalls.to(MethodHandles.lookup(), "now");
  private static final MemorySegment FIRST_UNEXPIRED = Upcalls.to(MethodHandles.lookup(), "firstUnexpired");
  private static final MethodHandle MAKE =
      Downcalls.link("rocksdb_ffm_state_filter", MethodType.methodType(long.class, long.class));
  private static final long CREATE = NativeLibrary.find("rocksdb_compactionfilter_create").address();

  /** The symbol of CompactionFilter::FilterMergeOperand, with which the stub finds FilterV2 in the vtable. */
  private static final String OF_OPERANDS = "_ZNK7rocksdb16CompactionFilter18FilterMergeOperandEiRKNS_5SliceES3_";

  private static final long OPERANDS = NativeLibrary.has(OF_OPERANDS) ? NativeLibrary.find(OF_OPERANDS).address() : 0;

  private static final long BEFORE_ALL = Long.MIN_VALUE;
  private static final long KEEP_ALL = -1;

  private final long[] rules;
  private final long ttl;
  private final LongSupplier time;
  private final ListElementFilterFactory lists;
  private ListElementFilter list;
  private boolean threw;

  /** Creates the callbacks, with the rules of {@code rocksdb_ffm_state}, and the sources of time and list filters. */
  public StateFilter(
      long kind, long offset, long ttl, long entries, long elementSize, LongSupplier time,
          ListElementFilterFactory lists) {
    super("compaction filter", "FlinkCompactionFilter");
    this.ttl = ttl;
    this.time = time;
    this.lists = lists;
    this.rules = new long[] {
      CREATE, OPERANDS, id(), kind, offset, ttl, entries, elementSize, DESTROYED.address(), NOW.address(),
      FIRST_UNEXPIRED.address()
    };
  }

  /** Creates the native filter, which the caller <em>owns</em>. */
  public long pointer() {
    try (Arena arena = Arena.ofConfined()) {
      long made = (long) MAKE.invokeExact(arena.allocateFrom(ValueLayout.JAVA_LONG, rules).address());
      if (made == 0) {
        throw new OutOfMemoryError("no native memory for a compaction filter");
      }
      return made;
    } catch (Error e) {
      forget();
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // C functions do not throw
    }
  }

  @SuppressWarnings("unused") // the engine calls it
  private static long now(long id) {
    StateFilter filter = (StateFilter) at(id);
    try {
      return filter.time.getAsLong();
    } catch (Throwable e) {
      filter.reportOnce(e);
      return BEFORE_ALL;
    }
  }

  @SuppressWarnings("unused") // the engine calls it
  private static long firstUnexpired(long id, long list, long size, long now) {
    StateFilter filter = (StateFilter) at(id);
    try {
      return filter.list().nextUnexpiredOffset(Memory.toArray(list, size), filter.ttl, now);
    } catch (Throwable e) {
      filter.reportOnce(e);
      return KEEP_ALL;
    }
  }

  private ListElementFilter list() {
    if (list == null) {
      list = lists.createListElementFilter();
    }
    return list;
  }

  private void reportOnce(Throwable thrown) {
    if (!threw) {
      threw = true;
      report(thrown, "rows are kept that may be expired, and others without another word about it");
    }
  }
}
