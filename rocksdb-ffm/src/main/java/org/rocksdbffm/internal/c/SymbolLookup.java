/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.c;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.loader.Linking;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Where the generated bindings find their symbols.
 *
 * <p>jextract's output asks {@code SymbolLookup.loaderLookup()} and imports {@code java.lang.foreign}
 * as a whole, so a class of that name in its own package is taken instead. Ours asks the libraries
 * that the loader opened: a library opened by {@code System.load} would be refused to a second class
 * loader.
 */
final class SymbolLookup {
  private static final SymbolLookup LIBRARIES = new SymbolLookup();

  private SymbolLookup() {}

  static SymbolLookup loaderLookup() {
    return LIBRARIES;
  }

  /** The process's own symbols are never searched: a second engine in the process must not be found. */
  SymbolLookup or(java.lang.foreign.SymbolLookup process) {
    return this;
  }

  MemorySegment findOrThrow(String symbol) {
    for (int wait = 1; ; wait *= 2) {
      try {
        return NativeLibrary.find(symbol);
      } catch (OutOfMemoryError e) {
        Linking.awaitHeap(wait, e);
      }
    }
  }
}
