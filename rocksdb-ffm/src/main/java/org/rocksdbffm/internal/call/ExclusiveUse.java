/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Lets one thread at a time have its turn, and tells off the others. */
public final class ExclusiveUse {
  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(ExclusiveUse.class, "taken", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String what;
  private volatile int taken;

  /** The name of what is used in turns, for messages. */
  public ExclusiveUse(String what) {
    this.what = what;
  }

  public void begin() {
    if (!TAKEN.compareAndSet(this, 0, 1)) {
      throw new IllegalStateException(what + " is in use already: it serves one thread, and one call, at a time");
    }
  }

  public void end() {
    TAKEN.setRelease(this, 0);
  }
}
