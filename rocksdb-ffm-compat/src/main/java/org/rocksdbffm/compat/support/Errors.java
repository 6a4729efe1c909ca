/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.foreign.MemorySegment;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.RocksDbException;

/**
 * Creates rocksdbjni's exceptions from error messages. A message of the C API consists of a prefix for the code, text
 * for the subcode, and the state.
 */
public final class Errors {
  private Errors() {}

  /** Returns an exception for the message in a cell. Frees the message and clears the cell. */
  public static RocksDBException take(MemorySegment cell) {
    return new RocksDBException(status(org.rocksdbffm.internal.call.Status.takeText(cell)));
  }

  /** Returns an exception for the message at an address, and frees the message. */
  public static RocksDBException take(long message) {
    return new RocksDBException(status(org.rocksdbffm.internal.call.Status.takeText(message)));
  }

  /** Returns an exception for a message of the engine. */
  public static RocksDBException of(String message) {
    return new RocksDBException(status(message));
  }

  public static RocksDBException of(Status.Code code, String state) {
    return new RocksDBException(new Status(code, Status.SubCode.None, state));
  }

  public static Status status(String message) {
    for (RocksDbException.Code code : RocksDbException.Code.values()) {
      if (message.startsWith(code.prefix())) {
        return status(code, message.substring(code.prefix().length()));
      }
    }
    throw new AssertionError("the last code has no prefix");
  }

  private static Status status(RocksDbException.Code code, String detail) {
    for (RocksDbException.SubCode subCode : RocksDbException.SubCode.values()) {
      String text = subCode.text();
      if (!text.isEmpty() && detail.equals(text)) {
        return new Status(codeOf(code), subCodeOf(subCode), null);
      }
      if (!text.isEmpty() && detail.startsWith(text + ": ")) {
        return new Status(codeOf(code), subCodeOf(subCode), detail.substring(text.length() + 2));
      }
    }
    return new Status(codeOf(code), Status.SubCode.None, detail.isEmpty() ? null : detail);
  }

  private static Status.Code codeOf(RocksDbException.Code code) {
    return switch (code) {
      case NOT_FOUND -> Status.Code.NotFound;
      case CORRUPTION -> Status.Code.Corruption;
      case NOT_SUPPORTED -> Status.Code.NotSupported;
      case INVALID_ARGUMENT -> Status.Code.InvalidArgument;
      case IO_ERROR -> Status.Code.IOError;
      case MERGE_IN_PROGRESS -> Status.Code.MergeInProgress;
      case INCOMPLETE -> Status.Code.Incomplete;
      case SHUTDOWN_IN_PROGRESS -> Status.Code.ShutdownInProgress;
      case TIMED_OUT -> Status.Code.TimedOut;
      case ABORTED -> Status.Code.Aborted;
      case BUSY -> Status.Code.Busy;
      case EXPIRED -> Status.Code.Expired;
      case TRY_AGAIN -> Status.Code.TryAgain;
      case COMPACTION_TOO_LARGE, COLUMN_FAMILY_DROPPED, UNKNOWN -> Status.Code.Undefined;
    };
  }

  /** Converts a subcode. rocksdbjni's enum has only the first seven; the others are undefined. */
  private static Status.SubCode subCodeOf(RocksDbException.SubCode subCode) {
    return switch (subCode) {
      case NONE -> Status.SubCode.None;
      case MUTEX_TIMEOUT -> Status.SubCode.MutexTimeout;
      case LOCK_TIMEOUT -> Status.SubCode.LockTimeout;
      case LOCK_LIMIT -> Status.SubCode.LockLimit;
      case NO_SPACE -> Status.SubCode.NoSpace;
      case DEADLOCK -> Status.SubCode.Deadlock;
      case STALE_FILE -> Status.SubCode.StaleFile;
      case MEMORY_LIMIT -> Status.SubCode.MemoryLimit;
      default -> Status.SubCode.Undefined;
    };
  }
}
