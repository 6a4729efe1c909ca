/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.link;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.rocksdbffm.compat.jni.JniCall;
import org.rocksdbffm.internal.foreign.Downcalls;

/**
 * Links a function of the engine when it is called for the first time; asked by the code that the relinker writes, which
 * passes whole words wherever C has them in registers: then most functions are of one kind, and the JDK needs
 * milliseconds for each kind.
 */
public final class Bootstrap {
  private Bootstrap() {}

  /** A C function, a stub, or an entry point that was made for JNI but does without. */
  public static CallSite function(MethodHandles.Lookup caller, String symbol, MethodType type) {
    return new ConstantCallSite(Downcalls.link(symbol, type));
  }

  /** An entry point that needs a {@code JNIEnv}; its first parameter is its class, or the object it is called for. */
  public static CallSite environment(MethodHandles.Lookup caller, String symbol, MethodType type) {
    return new ConstantCallSite(JniCall.link(symbol, type));
  }
}
