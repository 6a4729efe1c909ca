/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

/**
 * A chain of a method's uses, if it has more than one: the last use, a {@link org.rocksdbffm.internal.call.Call} or a
 * {@link Guard}; and the uses before it, a single use or another chain.
 */
final class Uses {
  final Object before;
  private Object last;

  private Uses(Object before) {
    this.before = before;
  }

  /**
   * Makes room for a further use before the use starts, because this may need heap. Returns null if there is no use
   * before.
   */
  static Uses after(Object before) {
    return before == null ? null : new Uses(before);
  }

  /** Returns the chain with a further use. */
  static Object with(Uses room, Object last) {
    if (room == null) {
      return last;
    }
    room.last = last;
    return room;
  }

  static Object last(Object chain) {
    return chain instanceof Uses uses ? uses.last : chain;
  }

  static Object before(Object chain) {
    return chain instanceof Uses uses ? uses.before : null;
  }
}
