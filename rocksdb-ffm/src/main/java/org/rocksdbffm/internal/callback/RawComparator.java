/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

/** Compares two keys by address; called by any thread, including the engine's. */
public interface RawComparator {
  int compare(CallbackFrame frame, long a, long aSize, long b, long bSize);
}
