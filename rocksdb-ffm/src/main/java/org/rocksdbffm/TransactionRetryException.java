/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.io.Serial;
import java.time.Duration;

/** A transaction was tried as often, or for as long, as its {@link TransactionalDb.RetryPolicy} allows. The cause is the last conflict. */
public final class TransactionRetryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** How often it was tried. */
  private final int attempts;

  TransactionRetryException(int attempts, Duration elapsed, RocksDbException last) {
    super(
        "the transaction came in the way of others " + attempts + " times in " + elapsed.toMillis()
            + " ms: let it touch fewer keys that others write, or allow more by a TransactionalDb.RetryPolicy",
        last);
    this.attempts = attempts;
  }

  /**
   * How often the transaction was tried.
   *
   * @return the count
   */
  public int attempts() {
    return attempts;
  }
}
