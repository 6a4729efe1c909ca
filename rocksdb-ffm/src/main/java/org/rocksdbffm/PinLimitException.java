/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/** A read would pin more than {@link Pins.Limits#maxBytes} or a {@link MemoryBudget} allows. Nothing was pinned. */
public final class PinLimitException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Created by the library.
   *
   * @param message the reason, and a remedy
   */
  public PinLimitException(String message) {
    super(message);
  }
}
