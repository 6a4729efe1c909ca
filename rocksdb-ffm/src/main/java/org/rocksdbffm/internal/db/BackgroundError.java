/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.RecoveryCalls;
import org.rocksdbffm.internal.loader.NativeLibraryError;

/** The error of background work that a database remembers, and returns for each write, until writes are resumed. */
final class BackgroundError {
  private static final int NONE = 0;
  private static final int UNKNOWN = -1;

  private BackgroundError() {}

  /**
   * As {@link Status#check}; if the message and the background error have the same code, the exception has the severity
   * of the background error.
   */
  static void check(MemorySegment db, MemorySegment errorCell, String tried) {
    if (Memory.pointer(errorCell, 0) != 0) {
      String message = Status.takeText(errorCell);
      Code code = Status.codeOf(message);
      int severity =
          switch (code) {
            case IO_ERROR, CORRUPTION -> severityOfDisk(db, errorCell, code);
            default -> NONE;
          };
      throw Status.parse(message, tried, severity);
    }
  }

  private static int severityOfDisk(MemorySegment db, MemorySegment errorCell, Code code) {
    try {
      int severity = RecoveryCalls.backgroundError(db.address(), errorCell.address());
      boolean isCause = Memory.pointer(errorCell, 0) != 0 && Status.codeOf(Status.takeText(errorCell)) == code;
      return isCause ? severity : NONE;
    } catch (NativeLibraryError missing) {
      return UNKNOWN; // the C++ stubs are optional
    }
  }
}
