/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.rocksdbffm.internal.Downcalls;

/** Links a function of the engine when it is called for the first time; asked by the code that the relinker writes. */
public final class Link {
  private Link() {}

  /** A C function, or a stub. */
  public static CallSite function(MethodHandles.Lookup caller, String symbol, MethodType type) {
    return new ConstantCallSite(Downcalls.link(symbol, type));
  }

  /** An entry point that was made for JNI, but does without a {@code JNIEnv} and its class. */
  public static CallSite entryPoint(MethodHandles.Lookup caller, String symbol, MethodType type) {
    MethodHandle function = Downcalls.link(symbol, type.insertParameterTypes(0, long.class, long.class));
    return new ConstantCallSite(MethodHandles.insertArguments(function, 0, 0L, 0L));
  }

  /** An entry point that needs a {@code JNIEnv}; its first parameter is its class, or the object it is called for. */
  public static CallSite environment(MethodHandles.Lookup caller, String symbol, MethodType type) {
    return new ConstantCallSite(JniCall.link(symbol, type));
  }
}
