/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/** A column family's native handle, <em>owned</em> by its database. Thread-safe. */
public final class NativeFamily {
  private final Database database;
  private final String name;
  private final MemorySegment pointer;
  private final Handle handle;
  private final Handle writing;
  private final WriteRules rules;
  private final int id;
  private boolean destroyed;

  NativeFamily(Database database, String name, MemorySegment pointer, WriteRules rules) {
    this.database = database;
    this.name = name;
    this.pointer = pointer;
    this.handle = new Handle("column family '" + name + "' of " + database.handle());
    this.writing = new Handle(handle.name(), "is dropped, or closed: it is not written any more");
    this.rules = rules;
    this.id = RocksDbC.rocksdb_column_family_handle_get_id(pointer);
  }

  public Database database() {
    return database;
  }

  /** The default family is closed with its database and not before, so calls need not announce it. */
  boolean isDefault() {
    return id == 0;
  }

  public String name() {
    return name;
  }

  public int id() {
    return id;
  }

  public Handle handle() {
    return handle;
  }

  /** What writes use: it ends when the family is dropped, while reads go on. Nothing ends it for the default family. */
  Handle writing() {
    return writing;
  }

  WriteRules rules() {
    return rules;
  }

  MemorySegment pointer() {
    return pointer;
  }

  /**
   * Lets go of the family ahead of its database; what was dropped is deleted from disk then. Calls in
   * flight are waited for. Idempotent; does nothing to the default family.
   */
  public void close() {
    if (isDefault()) {
      return;
    }
    handle.close();
    writing.close();
    Call call;
    try {
      call = Call.enter(database.handle());
    } catch (IllegalStateException closed) {
      return; // the database destroys it, or did
    }
    try {
      database.disown(this);
      destroy();
    } finally {
      call.exit();
    }
  }

  synchronized void destroy() {
    if (!destroyed) {
      destroyed = true;
      RocksDbC.rocksdb_column_family_handle_destroy(pointer);
    }
  }
}
