/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.io.Serial;
import java.time.Duration;

/**
 * A transaction still conflicts after all attempts that its {@link TransactionalDb.RetryPolicy} allows. The cause is
 * the last conflict.
 */
public final class TransactionRetryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** The number of attempts. */
  private final int attempts;

  TransactionRetryException(int attempts, Duration elapsed, RocksDbException last) {
    super(
        "the transaction came in the way of others " + attempts + " times in " + elapsed.toMillis()
            + " ms: let it touch fewer keys that others write, or allow more by a TransactionalDb.RetryPolicy",
        last);
    this.attempts = attempts;
  }

  /**
   * Returns the number of attempts.
   *
   * @return the count
   */
  public int attempts() {
    return attempts;
  }
}
