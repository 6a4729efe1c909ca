/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.Severity;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.format.DatabaseFile;

/**
 * Converts the engine's messages to exceptions; the only creator of {@link RocksDbException}.
 *
 * <p>The C API returns no code, but RocksDB builds the text from code, subcode and detail with a distinct prefix for
 * each code, so both can be parsed exactly.
 */
public final class Status {
  private Status() {}

  /** Throws if the cell holds an error message; frees the message and sets the cell to NULL. */
  public static void check(MemorySegment errorCell, String where) {
    if (Memory.pointer(errorCell, 0) != 0) {
      throw take(errorCell, where);
    }
  }

  /** Whether the cell holds a message with the code {@link Code#COLUMN_FAMILY_DROPPED}. */
  public static boolean isDropped(MemorySegment errorCell) {
    long message = Memory.pointer(errorCell, 0);
    return message != 0 && Memory.startsWith(message, Code.COLUMN_FAMILY_DROPPED.prefix());
  }

  public static RocksDbException take(MemorySegment errorCell, String where) {
    return parse(takeText(errorCell), where);
  }

  /** Returns the message in a cell that holds one; frees it and sets the cell to NULL. */
  public static String takeText(MemorySegment errorCell) {
    long message = Memory.pointer(errorCell, 0);
    errorCell.set(ValueLayout.JAVA_LONG, 0, 0L);
    return takeText(message);
  }

  /** Returns the message at an address, and frees it. */
  public static String takeText(long message) {
    try {
      return Memory.string(message);
    } finally {
      RocksDbC.rocksdb_free(MemorySegment.ofAddress(message));
    }
  }

  /** Frees the message at an address and returns true if it has the code {@link Code#INCOMPLETE}. */
  public static boolean takeIncomplete(long message) {
    if (!Memory.startsWith(message, Code.INCOMPLETE.prefix())) {
      return false;
    }
    RocksDbC.rocksdb_free(MemorySegment.ofAddress(message));
    return true;
  }

  /** Returns the exception for a message at an address, and frees the message. */
  public static RocksDbException takeMessage(long message, String where) {
    return parse(takeText(message), where);
  }

  /** Throws the exception that the engine would have caused. */
  public static void fail(String message, String where) {
    throw parse(message, where);
  }

  /** Returns the exception for an IOException of the JDK. */
  public static RocksDbException of(IOException failure, String where) {
    if (failure instanceof DatabaseFile.Refusal refusal) {
      return parse(Code.INVALID_ARGUMENT.prefix() + refusal.getMessage(), where + ": " + refusal.advice());
    }
    boolean isFull = String.valueOf(failure.getMessage()).contains(SubCode.NO_SPACE.text());
    return parse(Code.IO_ERROR.prefix() + (isFull ? SubCode.NO_SPACE.text() + ": " : "") + failure, where);
  }

  public static RocksDbException parse(String message, String where) {
    return parse(message, where, Severity.NONE.ordinal());
  }

  /** Returns the exception for a message of a status; {@code severity} is the engine's number, negative if unknown. */
  public static RocksDbException parse(String message, String where, int severity) {
    Code code = codeOf(message);
    SubCode subCode = subCodeOf(message.substring(code.prefix().length()));
    if (code == Code.IO_ERROR && subCode == SubCode.NONE) { // failed to write the options: the cause is wrapped
      subCode = subCodeOf(message.substring(message.lastIndexOf(code.prefix()) + code.prefix().length()));
    }
    String advice = StatusAdvice.on(code, subCode, message);
    RocksDbException exception = new RocksDbException(code, subCode, severityOf(severity), message + " (" + where + advice + ")");
    Throwable thrown = Reentrance.takeThrown();
    if (thrown != null) {
      exception.initCause(thrown);
    }
    return exception;
  }

  private static Severity severityOf(int number) {
    return number >= 0 && number < Severity.UNKNOWN.ordinal() ? Severity.values()[number] : Severity.UNKNOWN;
  }

  /** Returns the code of an engine's message. */
  public static Code codeOf(String message) {
    for (Code code : Code.values()) {
      if (message.startsWith(code.prefix())) {
        return code;
      }
    }
    throw new AssertionError("the last code has no prefix");
  }

  private static SubCode subCodeOf(String detail) {
    for (SubCode subCode : SubCode.values()) {
      String text = subCode.text();
      if (!text.isEmpty()
          && detail.startsWith(text)
          && (detail.length() == text.length() || detail.startsWith(": ", text.length()))) {
        return subCode;
      }
    }
    return SubCode.NONE;
  }
}
