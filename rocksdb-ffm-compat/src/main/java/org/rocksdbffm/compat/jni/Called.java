/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdbffm.compat.callback.RunningCallbacks;
import org.rocksdbffm.compat.callback.Thrown;

/**
 * Calls methods of the program's callbacks for the engine. An exception in a callback that filters data is hidden from
 * the engine, which would interpret it as an answer: a table filter would exclude the table, and a WAL filter would
 * report a corrupt record, so that all later records are lost.
 */
final class Called {
  private static final short CONTINUE_UNCHANGED = 0;

  private Called() {}

  /** Returns the method's result; if a filter throws, the result that loses no data. */
  static Object answer(JniCall call, Object callback, long method, long arguments) throws Throwable {
    if (RunningCallbacks.isRestricted(callback)) {
      return restricted(call, callback, method, arguments);
    }
    try {
      return JniMembers.callBack(call, callback, method, arguments);
    } catch (Throwable e) {
      switch (callback) {
        case AbstractTableFilter filter -> {
          Thrown.keep(filter, e, "the table was read");
          return true;
        }
        case AbstractWalFilter filter -> {
          Thrown.keep(filter, e, "the log was replayed as it is");
          return CONTINUE_UNCHANGED;
        }
        default -> throw e;
      }
    }
  }

  private static Object restricted(JniCall call, Object callback, long method, long arguments) throws Throwable {
    Object outer = RunningCallbacks.begin(callback);
    try {
      return JniMembers.callBack(call, callback, method, arguments);
    } finally {
      RunningCallbacks.end(outer);
    }
  }
}
