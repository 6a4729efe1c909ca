/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.StripedCounter;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.options.PropertyTable;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.WriteRules;
import org.rocksdbffm.internal.watch.OpenDatabase;

/**
 * A column family handle, <em>owned</em> by its database. Thread-safe.
 *
 * <p>A pinned value is in a block of the family's cache, which is freed with the family. So if values are pinned when a
 * family is closed, the release of the last of them destroys the family.
 */
public final class NativeFamily implements OpenDatabase.Family {
  /** The name of the family that every database has. */
  public static final String DEFAULT = "default";

  private static final int DEFAULT_ID = 0;

  private final Database database;
  private final String name;
  private final MemorySegment pointer;
  private final Handle handle;
  private final Handle writing;
  private final WriteRules rules;
  private final LiveSettings settings;
  private final Object cacheIdentity;
  private final int id;
  private final List<Path> paths;
  private final StripedCounter pins = new StripedCounter();

  // Set after the calls in flight have ended: from then on the last release of a pin destroys the family.
  private volatile boolean abandoned;
  private boolean destroyed;

  NativeFamily(Database database, String name, MemorySegment pointer, NativeOptions options, List<Path> paths) {
    this.database = database;
    this.paths = paths;
    this.name = name;
    this.pointer = pointer;
    this.handle = new Handle("column family '" + name + "' of " + database.handle());
    this.writing = new Handle(handle.name(), "is closed, or was dropped: it is not written any more");
    this.rules = options.rules();
    this.settings = options.live();
    this.cacheIdentity = options.cacheIdentity();
    this.id = name.equals(DEFAULT) ? DEFAULT_ID : HotCalls.familyId(pointer.address());
    LiveObjects.COLUMN_FAMILIES.made();
  }

  public Database database() {
    return database;
  }

  /** Whether this is the default family, which is closed only with its database, so that calls need not announce it. */
  public boolean isDefault() {
    return id == 0;
  }

  @Override
  public String name() {
    return name;
  }

  boolean isUsedBy(long handleId) {
    return handle.is(handleId) || writing.is(handleId);
  }

  public int id() {
    return id;
  }

  public Handle handle() {
    return handle;
  }

  /**
   * Returns the handle that writes use. It is closed by a drop, after which reads are still allowed; never for the
   * default family.
   */
  public Handle writing() {
    return writing;
  }

  public WriteRules rules() {
    return rules;
  }

  /** Returns the current settings; a thread that changes them holds their lock. */
  public LiveSettings settings() {
    return settings;
  }

  /** Returns the number of levels. */
  public int levels() {
    return settings.levels();
  }

  /** Whether table folders other than the database folder are configured. */
  public boolean hasPaths() {
    return !paths.isEmpty();
  }

  /** Returns the folder of new tables. */
  public Path tableFolder() {
    return paths.isEmpty() ? database.folder() : paths.getFirst();
  }

  /** Returns the index of the last table folder, which receives most tables. */
  public int lastPath() {
    return Math.max(0, paths.size() - 1);
  }

  /** Returns the identity of the block cache; equal for families that share one. */
  public Object cacheIdentity() {
    return cacheIdentity;
  }

  public MemorySegment pointer() {
    return pointer;
  }

  /** Runs the work within a call that uses this family and its database. */
  public <T> T within(Database.Work<T> work) {
    return database.within(this, work, handle.name());
  }

  /** Runs the action within a call that uses this family and its database. */
  public void run(Database.Action action) {
    within(action);
  }

  /** Returns a property; null if the engine cannot answer it now. */
  public String property(String property) {
    PropertyTable.check(property, settings.levels());
    return within((db, arena, error) -> property(property, arena));
  }

  private String property(String property, Arena arena) {
    MemorySegment value = RocksDbC.rocksdb_property_value_cf(database.pointer(), pointer, Memory.string(property, arena));
    return value.address() == 0 ? null : Status.takeText(value.address());
  }

  @Override
  public Map<String, String> properties(Collection<String> names) {
    return within((db, arena, error) -> {
      Map<String, String> known = new HashMap<>();
      names.forEach(name -> known.computeIfAbsent(name, property -> property(property, arena)));
      return known;
    });
  }

  public OptionalLong longProperty(String property) {
    PropertyTable.checkNumber(property, settings.levels());
    return within((db, arena, error) -> longProperty(property, arena));
  }

  /** As above, within a call that uses this family. */
  public OptionalLong longProperty(String property, Arena arena) {
    MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
    int failed = RocksDbC.rocksdb_property_int_cf(database.pointer(), pointer, Memory.string(property, arena), value);
    return failed != 0 ? OptionalLong.empty() : OptionalLong.of(value.get(ValueLayout.JAVA_LONG, 0));
  }

  /** Counts a pinned value; called within a {@link Call} that uses this family. */
  public void pinned(long size) {
    database.pinned(size);
    hold();
  }

  /** Keeps the family for a pin that the database counts; called within a call. */
  public void hold() {
    if (!isDefault()) {
      pins.increment();
    }
  }

  /** Ends a {@link #hold}, before the database's count of pins is decremented. */
  public void endHold() {
    if (!isDefault()) {
      pins.decrement();
      if (abandoned) {
        destroyIfUnpinned();
      }
    }
  }

  /**
   * Releases a pin of a value with {@code size} bytes; 0 is the pin of an empty value, which the engine does not pin.
   */
  public void release(long pin, long size) {
    if (pin != 0) {
      HotCalls.release(pin);
    }
    endHold();
    database.unpinned(size);
  }

  /**
   * Closes the family before its database; the files of a dropped family are deleted then. Waits for calls in flight;
   * pinned values delay the destruction. Idempotent; does nothing to the default family.
   */
  public void close() {
    if (isDefault()) {
      return;
    }
    handle.close();
    writing.close();
    database.endUnlessClosed(() -> {
      abandoned = true;
      destroyIfUnpinned();
    });
  }

  /** No pin can be added once the calls in flight have ended, so a sum of zero is final; see {@link Database}. */
  private void destroyIfUnpinned() {
    if (pins.sum() == 0) {
      database.disown(this);
      destroy();
    }
  }

  /** Runs an action on the native family unless it is dropped or destroyed, also while the database is being closed. */
  public synchronized void whileWritable(Runnable action) {
    if (!destroyed && !writing.isClosed()) {
      action.run();
    }
  }

  synchronized void destroy() {
    if (!destroyed) {
      destroyed = true;
      HotCalls.destroyFamily(pointer.address());
      LiveObjects.COLUMN_FAMILIES.freed();
    }
  }
}
