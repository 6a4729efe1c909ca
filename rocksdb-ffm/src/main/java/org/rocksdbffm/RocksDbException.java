/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.io.Serial;
import java.util.Objects;

/**
 * A refusal or failure of the engine, with its status code. Invalid arguments and closed objects are reported by
 * {@link IllegalArgumentException}, {@link NullPointerException} and {@link IllegalStateException} before the engine is
 * called.
 */
public final class RocksDbException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** The kind of failure. */
  private final Code code;

  /** The detail of the failure. */
  private final SubCode subCode;

  /** The consequence for later writes. */
  private final Severity severity;

  /**
   * Created by the library.
   *
   * @param code the kind of failure
   * @param subCode the detail of the failure
   * @param severity the consequence for later writes
   * @param message the engine's message, with the operation that failed
   */
  public RocksDbException(Code code, SubCode subCode, Severity severity, String message) {
    super(message);
    this.code = Objects.requireNonNull(code, "code");
    this.subCode = Objects.requireNonNull(subCode, "subCode");
    this.severity = Objects.requireNonNull(severity, "severity");
  }

  /**
   * Returns the kind of failure.
   *
   * @return the engine's status code
   */
  public Code code() {
    return code;
  }

  /**
   * Returns the detail of the failure beyond its code.
   *
   * @return the engine's subcode; {@link SubCode#NONE} if absent
   */
  public SubCode subCode() {
    return subCode;
  }

  /**
   * Returns the consequence of the failure for later writes: the severity of the database's background error, if a
   * write, a commit, a flush or other work on the database has failed with the same code.
   *
   * @return the severity; {@link Severity#NONE} if there is no such background error, and {@link Severity#UNKNOWN} if
   *     the engine does not report it, or the library's C++ stubs are missing, as on macOS
   */
  public Severity severity() {
    return severity;
  }

  /**
   * Returns whether a transaction conflicts with others: it could not lock a key in time or without a deadlock, or
   * others have written a key that it has read. The transaction has written nothing, and another attempt may succeed.
   *
   * @return whether to try again; see {@link TransactionalDb#callInTransaction}
   */
  public boolean isConflict() {
    return switch (code) {
      case BUSY, TRY_AGAIN, EXPIRED -> true;
      case TIMED_OUT -> subCode == SubCode.LOCK_TIMEOUT || subCode == SubCode.MUTEX_TIMEOUT;
      default -> false;
    };
  }

  /**
   * Returns whether the operation may succeed later, because the obstacle is temporary or can be removed: another
   * thread's work, a deadline, a stall, a full disk, a limit. A failed transaction must be repeated as a new one.
   * Corruption and invalid requests are permanent.
   *
   * @return whether to try again after a while
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

  /** The kinds of failure, as RocksDB distinguishes them. */
  public enum Code {
    /** Something is missing; not used for a missing key. */
    NOT_FOUND("NotFound: "),
    /** Data on disk is damaged or missing. */
    CORRUPTION("Corruption: "),
    /** The operation is not supported, in general or for this database. */
    NOT_SUPPORTED("Not implemented: "),
    /** The engine rejects an argument. */
    INVALID_ARGUMENT("Invalid argument: "),
    /** An error of the operating system. */
    IO_ERROR("IO error: "),
    /** A merge is not finished. */
    MERGE_IN_PROGRESS("Merge in progress: "),
    /** The result would need more than the options allow, such as reading from disk. */
    INCOMPLETE("Result incomplete: "),
    /** The database is being closed. */
    SHUTDOWN_IN_PROGRESS("Shutdown in progress: "),
    /** A deadline has passed. */
    TIMED_OUT("Operation timed out: "),
    /** The operation was aborted. */
    ABORTED("Operation aborted: "),
    /** Another operation conflicts; trying again may help. */
    BUSY("Resource busy: "),
    /** A transaction has exceeded its lifetime. */
    EXPIRED("Operation expired: "),
    /** The engine asks for another attempt. */
    TRY_AGAIN("Operation failed. Try again.: "),
    /** A compaction exceeds the allowed size. */
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
     * Returns the start of the engine's messages of this kind.
     *
     * @return the prefix, including a space
     */
    public String prefix() {
      return prefix;
    }
  }

  /** The consequences of a failure for later writes, as the engine judges them, in its order. */
  public enum Severity {
    /** None, or the engine repeats the work. */
    NONE,
    /** Writes are accepted, and the engine repeats the work. */
    SOFT,
    /** Writes are refused until the engine or {@link RocksDb#resume} resumes them. */
    HARD,
    /** Writes are refused until the database is opened again. */
    FATAL,
    /** Data is damaged, and opening the database again may fail too. */
    UNRECOVERABLE,
    /** Not known. */
    UNKNOWN
  }

  /** The details of a failure beyond its code. */
  public enum SubCode {
    /** No detail. */
    NONE(""),
    /** A mutex could not be acquired in time. */
    MUTEX_TIMEOUT("Timeout Acquiring Mutex"),
    /** A key could not be locked in time. */
    LOCK_TIMEOUT("Timeout waiting to lock key"),
    /** There are too many locks. */
    LOCK_LIMIT("Failed to acquire lock due to max_num_locks limit"),
    /** The disk is full. */
    NO_SPACE("No space left on device"),
    /** Transactions wait for each other. */
    DEADLOCK("Deadlock"),
    /** An open file was deleted or replaced. */
    STALE_FILE("Stale file handle"),
    /** A memory limit was reached. */
    MEMORY_LIMIT("Memory limit reached"),
    /** A space limit was reached. */
    SPACE_LIMIT("Space limit reached"),
    /** A file or folder is missing. */
    PATH_NOT_FOUND("No such file or directory"),
    /** There is not enough space for the merge operands. */
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
    /** A scan of several ranges has reached its prefetch limit. */
    PREFETCH_LIMIT_REACHED("MultiScan reached file prefetch limit"),
    /** The engine has reached an unexpected state. */
    UNEXPECTED_CODE_PATH("Not expected code path"),
    /** All compactions were aborted. */
    COMPACTION_ABORTED("All compactions aborted");

    private final String text;

    SubCode(String text) {
      this.text = text;
    }

    /**
     * Returns the text after the code's prefix in the engine's messages.
     *
     * @return the text; empty for {@link #NONE}
     */
    public String text() {
      return text;
    }
  }
}
