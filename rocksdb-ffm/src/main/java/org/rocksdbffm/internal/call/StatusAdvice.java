/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;

/** Advice on the engine's errors, for messages that do not say how the user can help. */
enum StatusAdvice {
  NO_SPACE(SubCode.NO_SPACE, "", "make room on that disk, and try again"),
  FULL_CACHE(
      SubCode.MEMORY_LIMIT,
      "Insert failed",
      "all of a strict cache is in use; release pinned values and cursors, or give it a higher BlockCache.capacity"),
  SPACE_LIMIT(
      SubCode.SPACE_LIMIT, "", "delete or compact rows, or raise SstFileManager.spaceLimit, then call RocksDb.resume"),
  LOCK_TIMEOUT(
      SubCode.LOCK_TIMEOUT, "",
      "another transaction has locked the key: try again, as TransactionalDb.callInTransaction does, or wait longer "
          + "(TransactionOptions.lockTimeout, LockOptions.writeTimeout)"),
  LOCK_LIMIT(SubCode.LOCK_LIMIT, "", "end transactions, or raise TransactionDb.LockOptions.maxLocks"),
  DEADLOCK(
      SubCode.DEADLOCK, "",
      "transactions wait for each other: roll this one back and try again, as TransactionalDb.callInTransaction does"),
  EXPIRED(
      Code.EXPIRED, "", "begin another transaction, with a longer TransactionOptions.expiration if it needs the time"),
  STALLED(
      Code.INCOMPLETE, "Write stall", "try again later, or let writes wait, without WriteOptions.noSlowdown"),
  CHECKSUM(
      Code.CORRUPTION, "checksum mismatch",
      "the file is damaged: restore a backup, or let Repair save the intact rows"),
  OPEN_FILES(
      Code.IO_ERROR, "Too many open files",
      "raise the limit of the process (ulimit -n), or lower DatabaseOptions.maxOpenFiles"),
  SEVERAL_PATHS(
      Code.NOT_SUPPORTED, "db_paths / cf_paths not supported",
      "the engine copies no database with FamilyOptions.paths; copy its folders while it is closed");

  private final Code code;
  private final SubCode subCode;
  private final String sign;
  private final String advice;

  StatusAdvice(Code code, String sign, String advice) {
    this(code, null, sign, advice);
  }

  StatusAdvice(SubCode subCode, String sign, String advice) {
    this(null, subCode, sign, advice);
  }

  StatusAdvice(Code code, SubCode subCode, String sign, String advice) {
    this.code = code;
    this.subCode = subCode;
    this.sign = sign;
    this.advice = advice;
  }

  /** Returns the advice on a message, after a colon; empty if there is none. */
  static String on(Code code, SubCode subCode, String message) {
    for (StatusAdvice one : values()) {
      if ((one.code == code || one.subCode == subCode) && message.contains(one.sign)) {
        return ": " + one.advice;
      }
    }
    return "";
  }
}
