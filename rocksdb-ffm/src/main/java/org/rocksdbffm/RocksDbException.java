/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.io.Serial;
import java.util.Objects;

/**
 * The engine refused or failed. Wrong arguments and closed objects are reported by {@link
 * IllegalArgumentException}, {@link NullPointerException} and {@link IllegalStateException} before the
 * engine is asked; this exception always carries the engine's own verdict.
 */
public final class RocksDbException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** The kind of failure. */
  private final Code code;

  /** The detail beyond that. */
  private final SubCode subCode;

  /**
   * Thrown by the library alone.
   *
   * @param code what kind of failure it is
   * @param subCode what is known beyond that
   * @param message the engine's message, and what the library knows of the place
   */
  public RocksDbException(Code code, SubCode subCode, String message) {
    super(message);
    this.code = Objects.requireNonNull(code, "code");
    this.subCode = Objects.requireNonNull(subCode, "subCode");
  }

  /**
   * The kind of failure.
   *
   * @return the engine's status code
   */
  public Code code() {
    return code;
  }

  /**
   * The detail of the failure beyond its code.
   *
   * @return the engine's subcode; {@link SubCode#NONE} if it gave none
   */
  public SubCode subCode() {
    return subCode;
  }

  /**
   * Whether a transaction came in the way of others: it could not lock a key in time, or without a deadlock, or others
   * have written what it has read. Nothing of it was written then, and another try may go well, in another transaction.
   *
   * @return whether it is worth to try again; see {@link TransactionalDb#callInTransaction}
   */
  public boolean isConflict() {
    return switch (code) {
      case BUSY, TRY_AGAIN, EXPIRED -> true;
      case TIMED_OUT -> subCode == SubCode.LOCK_TIMEOUT || subCode == SubCode.MUTEX_TIMEOUT;
      default -> false;
    };
  }

  /**
   * Whether the same may go well later, because what was in the way passes by itself or somebody makes room: another
   * thread's work, a deadline, a stall, a full disk, a limit. A transaction that failed is tried again as another one.
   * Damage and wrong requests stay as they are.
   *
   * @return whether it is worth to try again after a while
   */
  public boolean mayRetry() {
    return switch (subCode) {
      case NO_SPACE, SPACE_LIMIT, MEMORY_LIMIT, LOCK_LIMIT -> true;
      default -> switch (code) {
        case BUSY, TRY_AGAIN, TIMED_OUT, EXPIRED, INCOMPLETE, MERGE_IN_PROGRESS -> true;
        default -> false;
      };
    };
  }

  /** The kinds of failure, as the engine distinguishes them. */
  public enum Code {
    /** There is no such thing; an absent key is not reported this way. */
    NOT_FOUND("NotFound: "),
    /** Data on disk is damaged or missing. */
    CORRUPTION("Corruption: "),
    /** The engine cannot do this, here or at all. */
    NOT_SUPPORTED("Not implemented: "),
    /** The request makes no sense to the engine. */
    INVALID_ARGUMENT("Invalid argument: "),
    /** The operating system refused or failed. */
    IO_ERROR("IO error: "),
    /** A merge is not finished. */
    MERGE_IN_PROGRESS("Merge in progress: "),
    /** The answer would need more than the options allow, such as reading from disk. */
    INCOMPLETE("Result incomplete: "),
    /** The database is being closed. */
    SHUTDOWN_IN_PROGRESS("Shutdown in progress: "),
    /** A deadline passed. */
    TIMED_OUT("Operation timed out: "),
    /** The operation was given up. */
    ABORTED("Operation aborted: "),
    /** Something else is in the way; trying again may help. */
    BUSY("Resource busy: "),
    /** A transaction outlived its time. */
    EXPIRED("Operation expired: "),
    /** The engine asks for another try. */
    TRY_AGAIN("Operation failed. Try again.: "),
    /** A compaction exceeds what is allowed. */
    COMPACTION_TOO_LARGE("Compaction too large: "),
    /** The column family was dropped. */
    COLUMN_FAMILY_DROPPED("Column family dropped: "),
    /** A code that this version of the library does not know. */
    UNKNOWN("");

    private final String prefix;

    Code(String prefix) {
      this.prefix = prefix;
    }

    /**
     * How the engine's messages of this kind begin.
     *
     * @return the prefix, with the blank behind it
     */
    public String prefix() {
      return prefix;
    }
  }

  /** The details of a failure beyond its code. */
  public enum SubCode {
    /** Nothing more is known. */
    NONE(""),
    /** A mutex could not be had in time. */
    MUTEX_TIMEOUT("Timeout Acquiring Mutex"),
    /** A key's lock could not be had in time. */
    LOCK_TIMEOUT("Timeout waiting to lock key"),
    /** There are too many locks. */
    LOCK_LIMIT("Failed to acquire lock due to max_num_locks limit"),
    /** The disk is full. */
    NO_SPACE("No space left on device"),
    /** Transactions wait for each other. */
    DEADLOCK("Deadlock"),
    /** A file vanished beneath an open handle. */
    STALE_FILE("Stale file handle"),
    /** A memory limit was reached. */
    MEMORY_LIMIT("Memory limit reached"),
    /** A space limit was reached. */
    SPACE_LIMIT("Space limit reached"),
    /** A file or folder is missing. */
    PATH_NOT_FOUND("No such file or directory"),
    /** There is no room for the merge operands. */
    MERGE_OPERANDS_INSUFFICIENT_CAPACITY("Insufficient capacity for merge operands"),
    /** Manual compactions are paused. */
    MANUAL_COMPACTION_PAUSED("Manual compaction paused"),
    /** The transaction was not prepared. */
    TRANSACTION_NOT_PREPARED("Txn not prepared"),
    /** Access to the files was fenced off. */
    IO_FENCED("IO fenced off"),
    /** The merge operator failed. */
    MERGE_OPERATOR_FAILED("Merge operator failed"),
    /** A read had to merge more operands than its options allow. */
    MERGE_OPERAND_THRESHOLD_EXCEEDED("Number of operands merged exceeded threshold"),
    /** A scan of several ranges prefetched as much as it may. */
    PREFETCH_LIMIT_REACHED("MultiScan reached file prefetch limit"),
    /** The engine reached code that it did not expect to. */
    UNEXPECTED_CODE_PATH("Not expected code path"),
    /** All compactions were aborted. */
    COMPACTION_ABORTED("All compactions aborted");

    private final String text;

    SubCode(String text) {
      this.text = text;
    }

    /**
     * How the engine's messages name it, right behind the code's prefix.
     *
     * @return the text; empty for {@link #NONE}
     */
    public String text() {
      return text;
    }
  }
}
