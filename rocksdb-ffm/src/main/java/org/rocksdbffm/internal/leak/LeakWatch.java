/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.System.Logger.Level;
import java.util.function.Function;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.loader.Warnings;

/**
 * Notices that an object became unreachable without being closed: says so by the logger
 * {@value Warnings#LOGGER}, and reclaims what the object stood for. Thread-safe.
 */
public abstract class LeakWatch extends Reclaimer.Registration implements TrackedResource {
  private Throwable origin; // null if this object's was not looked at

  /**
   * Is about an object, which this must not refer to. It is watched once {@link #begin} says so.
   *
   * @param isPrompt whether the object is reclaimed soon after; if not, then as late as when another is made
   */
  protected LeakWatch(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

  /** Watches an object, which what it stands for must not refer to. */
  public static LeakWatch over(Object object, TrackedResource standsFor) {
    LeakWatch watch = new OfResource(object, standsFor);
    watch.begin();
    return watch;
  }

  /** Makes the object that is to close a resource; the resource is closed at once if that fails. */
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

  /** Ends the watch over what was closed; false if there is none, or none any more. */
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

  /** Whether the program had to close it; called when the object is unreachable. */
  protected boolean isToBeReported() {
    return true;
  }

  /** Whether it holds only a few bytes, so that programs may leave it to the collector: reported at level all only. */
  protected boolean isSmall() {
    return false;
  }

  /** Whether {@link #closeForgotten} frees the memory. */
  protected boolean isFreed() {
    return true;
  }

  /** A watch that is apart from what its object stands for. */
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
