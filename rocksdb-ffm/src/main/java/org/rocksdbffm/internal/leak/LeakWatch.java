/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.System.Logger.Level;
import java.util.function.Function;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.loader.Warnings;

/**
 * Detects that an object became unreachable without being closed: logs this to {@value Warnings#LOGGER}, and reclaims
 * the object's resource. Thread-safe.
 */
public abstract class LeakWatch extends Reclaimer.Registration implements TrackedResource {
  private Throwable origin; // the stack of creation; null if not recorded

  /**
   * Creates a watch of an object, which the watch must not reference. It starts with {@link #begin}.
   *
   * @param isPrompt whether to reclaim the resource soon; otherwise it may wait until the next object is created
   */
  protected LeakWatch(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

  /** Watches an object, and reclaims its resource; the resource must not reference the object. */
  public static LeakWatch over(Object object, TrackedResource standsFor) {
    LeakWatch watch = new OfResource(object, standsFor);
    watch.begin();
    return watch;
  }

  /** Creates the object that owns a resource; closes the resource if that fails. */
  public static <R extends TrackedResource, T> T owner(R resource, Function<? super R, T> maker) {
    try {
      return maker.apply(resource);
    } catch (Throwable e) {
      resource.closeForgotten();
      throw e;
    }
  }

  protected final void begin() {
    if (LeakLevel.CURRENT.isTraceDue()) {
      origin = new Throwable(name() + " was created here");
    }
    Reclaimer.reclaimWhenUnreachable(this);
  }

  /** Ends the watch of a closed object; returns false if it has ended already. */
  public final boolean end() {
    return drop();
  }

  @Override
  public abstract long weight();

  @Override
  final void reclaim() {
    if (isClosed()) {
      return;
    }
    if (LeakLevel.CURRENT != LeakLevel.OFF && isToBeReported()) {
      report();
    }
    closeForgotten();
  }

  private void report() {
    if (origin != null) {
      origin.setStackTrace(ProgramFrames.of(origin.getStackTrace(), getClass()));
    }
    FlightRecords.leaked(name(), origin);
    if (LeakLevel.CURRENT == LeakLevel.ALL || !isSmall()) {
      LeakReports.OF_LOADER.forgotten(isSmall() ? Level.INFO : Level.WARNING, name(), isFreed(), origin);
    }
  }

  /** Whether the program had to close the object; called when the object is unreachable. */
  protected boolean isToBeReported() {
    return true;
  }

  /** Whether the object retains only a few bytes, so that it is logged only at {@link LeakLevel#ALL}. */
  protected boolean isSmall() {
    return false;
  }

  /** Whether {@link #closeForgotten} frees the object's memory. */
  protected boolean isFreed() {
    return true;
  }

  /** A watch with a separate resource. */
  private static final class OfResource extends LeakWatch {
    private final TrackedResource standsFor;

    OfResource(Object object, TrackedResource standsFor) {
      super(object, true);
      this.standsFor = standsFor;
    }

    @Override
    public String name() {
      return standsFor.name();
    }

    @Override
    public boolean isClosed() {
      return standsFor.isClosed();
    }

    @Override
    public long weight() {
      return standsFor.weight();
    }

    @Override
    public void closeForgotten() {
      standsFor.closeForgotten();
    }
  }
}
