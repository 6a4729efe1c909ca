/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/** Compares two keys by their addresses; called by any thread, the engine's own among them. */
public interface RawComparator {
  int compare(CallbackFrame frame, long a, long aSize, long b, long bSize);
}
