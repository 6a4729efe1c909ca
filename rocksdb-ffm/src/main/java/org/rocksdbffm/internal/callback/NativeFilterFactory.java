/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * A Java factory of compaction filters. <em>Owned</em> by the options that it is set in and the databases that are
 * opened with them. If the user's code throws, nothing is filtered: a kept row loses no data.
 */
@SuppressWarnings("unused") // the engine calls some of its methods
public final class NativeFilterFactory extends Callback {
  private static final MemorySegment CREATE = Upcalls.to(MethodHandles.lookup(), "createFilter");
  private static final MemorySegment FILTER = Upcalls.to(MethodHandles.lookup(), "filterKey");
  private static final byte KEPT = 0;
  private static final byte REMOVED = 1;

  private final String name;
  private final RawFilter.Factory code;

  private NativeFilterFactory(String name, RawFilter.Factory code) {
    super("compaction filter factory", name);
    this.name = name;
    this.code = code;
  }

  public static NativeFilterFactory setIn(MemorySegment options, String name, RawFilter.Factory code) {
    NativeFilterFactory factory = new NativeFilterFactory(name, code);
    RocksDbC.rocksdb_options_set_compaction_filter_factory(
        options, RocksDbC.rocksdb_compactionfilterfactory_create(factory.state(), DESTROYED, CREATE, NAME));
    return factory;
  }

  private static long createFilter(long id, long context) {
    return ((NativeFilterFactory) at(id)).create(MemorySegment.ofAddress(context));
  }

  private long create(MemorySegment context) {
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      RawFilter filtering =
          code.create(
              RocksDbC.rocksdb_compactionfiltercontext_is_full_compaction(context) != 0,
              RocksDbC.rocksdb_compactionfiltercontext_is_manual_compaction(context) != 0);
      return filtering == null ? 0 : new Filter(filtering).pointer();
    } catch (Throwable e) {
      report(e, "a compaction filters nothing");
      return 0;
    } finally {
      frame.exit();
    }
  }

  /** The filter of one compaction, which the engine <em>owns</em>. */
  private final class Filter extends Callback {
    private final RawFilter filtering;

    // The new value; the engine copies it immediately.
    private MemorySegment changed = MemorySegment.NULL;
    private boolean reported;

    Filter(RawFilter filtering) {
      super("compaction filter", name);
      this.filtering = filtering;
      serves(NativeFilterFactory.this.owner());
    }

    long pointer() {
      return RocksDbC.rocksdb_compactionfilter_create(state(), DESTROYED, FILTER, NAME).address();
    }

    byte filter(int level, long key, long keySize, long value, long valueSize, long newValue, long newSize,
        long isChanged) {
      CallbackFrame frame = CallbackFrame.enter(this);
      try {
        byte[] decision = filtering.filter(frame, level, key, keySize, value, valueSize);
        if (decision == RawFilter.KEEP) {
          return KEPT;
        }
        if (decision == RawFilter.REMOVE) {
          return REMOVED;
        }
        change(decision, newValue, newSize);
        Memory.byteTo(isChanged, (byte) 1);
        return KEPT;
      } catch (Throwable e) {
        if (!reported) {
          reported = true;
          report(e, "a key is kept, and others without another word about it");
        }
        return KEPT;
      } finally {
        frame.exit();
      }
    }

    private void change(byte[] value, long newValue, long newSize) {
      if (value.length > changed.byteSize() || changed.address() == 0) {
        changed = Arena.ofAuto().allocate(Math.max(1, value.length));
      }
      MemorySegment.copy(value, 0, changed, ValueLayout.JAVA_BYTE, 0, value.length);
      Memory.longTo(newValue, changed.address());
      Memory.longTo(newSize, value.length);
    }
  }

  private static byte filterKey(
      long id, int level, long key, long keySize, long value, long valueSize, long newValue, long newSize,
      long isChanged) {
    return ((Filter) at(id)).filter(level, key, keySize, value, valueSize, newValue, newSize, isChanged);
  }
}
