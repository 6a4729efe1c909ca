/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The guard of an object that one thread at a time may use: it refuses the others, and does not let them wait. */
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

  /** Takes the name of the object that is used in turns, for messages. */
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
