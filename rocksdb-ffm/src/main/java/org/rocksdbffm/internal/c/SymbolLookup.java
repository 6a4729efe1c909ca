/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.c;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.loader.Linking;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Finds the symbols of the generated bindings.
 *
 * <p>jextract's output calls {@code SymbolLookup.loaderLookup()} and imports {@code java.lang.foreign.*}, so a class of
 * that name in its package takes precedence. This class searches the libraries that the loader opened with
 * {@code dlopen}: the JVM would refuse {@code System.load} of the same library to a second class loader.
 */
final class SymbolLookup {
  private static final SymbolLookup LIBRARIES = new SymbolLookup();

  private SymbolLookup() {}

  static SymbolLookup loaderLookup() {
    return LIBRARIES;
  }

  /** Never searches the process's own symbols: a second engine in the process must not be found. */
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
