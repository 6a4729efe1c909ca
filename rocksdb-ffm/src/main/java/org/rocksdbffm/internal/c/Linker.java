/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.c;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.rocksdbffm.internal.loader.Linking;

/**
 * Replaces the JDK's linker in the generated bindings, as {@code SymbolLookup} does: waits for heap when it is full.
 */
final class Linker {
  private static final Linker OURS = new Linker();

  private final java.lang.foreign.Linker jdk = java.lang.foreign.Linker.nativeLinker();

  private Linker() {}

  static Linker nativeLinker() {
    return OURS;
  }

  Map<String, MemoryLayout> canonicalLayouts() {
    return jdk.canonicalLayouts();
  }

  /**
   * Returns null instead of the JDK's lookup, which would open a library: the bindings look up no symbols of the
   * process.
   */
  java.lang.foreign.SymbolLookup defaultLookup() {
    return null;
  }

  MethodHandle downcallHandle(MemorySegment address, FunctionDescriptor descriptor) {
    return Linking.downcall(address, descriptor);
  }

  MethodHandle downcallHandle(FunctionDescriptor descriptor) {
    return jdk.downcallHandle(descriptor);
  }

  MemorySegment upcallStub(MethodHandle target, FunctionDescriptor descriptor, Arena arena) {
    return jdk.upcallStub(target, descriptor, arena);
  }
}
