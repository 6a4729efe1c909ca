/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Memory;

/** Advice on engine errors at an opening. */
public enum OpenErrorHints {
  HELD_HERE("lock hold by current process", FolderClaim.ADVICE),
  HELD_ELSEWHERE(
      "While lock file", "another process has the database open: close it there, or open it here by openReadOnly"),
  NOT_TO_BE_CREATED(
      "does not exist (create_if_missing is false)",
      "there is no database: RocksDb.open creates one"),
  CURRENT_LOST(
      "CURRENT is missing",
      "put it back, it names the newest MANIFEST file in one line; or restore a backup; Repair is the last resort; or move "
          + "the files away, or RocksDb.destroy them, to begin anew"),
  PARENT_NOT_THERE(
      "While mkdir if missing", "the folder cannot be made: its parent is not there (Files.createDirectories), or is no folder"),
  NO_FOLDER("exists but is not a directory", "the path leads to a file, and a database needs a folder"),
  NOT_PERMITTED(
      "Permission denied",
      "this process may not do that there: run it as a user who may read the folder and open the database by openReadOnly, or who may "
          + "write to the folder"),
  READ_ONLY_DISK("Read-only file system", "the disk can only be read, and so can the database: by openReadOnly"),
  NOT_THERE("CURRENT: No such file or directory", "there is no database in this folder"),
  TABLE_NOT_THERE(
      ".sst: No such file or directory",
      "a table is missing: put it back; or, if the database has tables in several folders, set FamilyOptions.paths as they were, in "
          + "their order"),
  FAMILY_NOT_THERE(
      "Column family not found",
      "RocksDb.families lists those that there are; an opening for writing creates others, unless it says mustExist"),
  PREPARED(
      "WAL contains prepared transactions",
      "it has transactions that are prepared: open it by TransactionDb.open, and commit them or roll them back"),
  WITH_TIMES("disable user-defined timestamps", "its keys have times, which this library does not read"),
  OTHER_ORDER("does not match existing comparator", "open it with the FamilyOptions.keyOrder that it was created with");

  private final String sign;
  private final String advice;

  OpenErrorHints(String sign, String advice) {
    this.sign = sign;
    this.advice = advice;
  }

  String advice() {
    return advice;
  }

  boolean isFor(String message) {
    return message.contains(sign);
  }

  /** Throws if the cell holds an error message of the engine, with advice if there is any. */
  public static void check(MemorySegment errorCell, String tried) {
    long message = Memory.pointer(errorCell, 0);
    if (message != 0) {
      throw Status.take(errorCell, on(Memory.string(message), tried));
    }
  }

  /** Returns the operation, followed by the advice on a message if there is any. */
  public static String on(String message, String tried) {
    for (OpenErrorHints advice : values()) {
      if (advice.isFor(message)) {
        return tried + ": " + advice.advice;
      }
    }
    return tried;
  }
}
