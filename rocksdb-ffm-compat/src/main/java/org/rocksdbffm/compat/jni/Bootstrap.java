/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.rocksdbffm.internal.foreign.Downcalls;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * The bootstrap methods of the relinked classes: each links an engine function at its first call. The relinker passes
 * words for all types that C passes in registers, so most functions share a type; the JDK needs milliseconds for each
 * type.
 */
public final class Bootstrap {
  private Bootstrap() {}

  /** Links a C function, a stub, or a JNI entry point that does not use its {@code JNIEnv}. */
  public static CallSite function(MethodHandles.Lookup caller, String symbol, MethodType type) {
    return new ConstantCallSite(
        SharedDowncalls.serve(type)
            ? SharedDowncalls.link(NativeLibrary.find(symbol), type)
            : Downcalls.link(symbol, type));
  }

  /** Links an entry point that needs a {@code JNIEnv}. Its first parameter is its class or its receiver. */
  public static CallSite environment(MethodHandles.Lookup caller, String symbol, MethodType type) {
    return new ConstantCallSite(EntryPoint.link(symbol, type));
  }
}
