/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdbffm.compat.lifetime.Reentrance;
import org.rocksdbffm.compat.lifetime.Thrown;

/**
 * Calls methods of the program's objects for the engine. Where the answer decides what a reader sees, the engine is not
 * told that the method threw: it would take a table filter for saying no, which hides rows, and a filter of the log for
 * having found a corrupt record, behind which everything is lost.
 */
final class Called {
  private static final short CONTINUE_UNCHANGED = 0;

  private Called() {}

  /** The method's answer; if it decides and throws, the answer that loses nothing. */
  static Object answer(JniCall call, Object callback, long method, long arguments) throws Throwable {
    if (Reentrance.isRestricted(callback)) {
      return restricted(call, callback, method, arguments);
    }
    try {
      return JniMembers.callBack(call, callback, method, arguments);
    } catch (Throwable e) {
      switch (callback) {
        case AbstractTableFilter its -> {
          Thrown.keep(its, e, "the table was read");
          return true;
        }
        case AbstractWalFilter its -> {
          Thrown.keep(its, e, "the log was replayed as it is");
          return CONTINUE_UNCHANGED;
        }
        default -> throw e;
      }
    }
  }

  private static Object restricted(JniCall call, Object callback, long method, long arguments) throws Throwable {
    Object outer = Reentrance.begin(callback);
    try {
      return JniMembers.callBack(call, callback, method, arguments);
    } finally {
      Reentrance.end(outer);
    }
  }
}
