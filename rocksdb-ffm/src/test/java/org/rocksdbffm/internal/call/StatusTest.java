/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;

class StatusTest {
  private static void assertParsed(Code code, SubCode subCode, String message) {
    RocksDbException e = Status.parse(message, "here");
    assertEquals(code, e.code(), message);
    assertEquals(subCode, e.subCode(), message);
    assertEquals(message + " (here" + StatusAdvice.on(code, subCode, message) + ")", e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(Code.class)
  void everyCodeWithEverySubCodeIsParsedBack(Code code) {
    for (SubCode subCode : SubCode.values()) {
      assertParsed(code, subCode, code.prefix() + subCode.text());
      if (subCode != SubCode.NONE) {
        assertParsed(code, subCode, code.prefix() + subCode.text() + ": and a detail: more");
        assertParsed(code, SubCode.NONE, code.prefix() + subCode.text() + " and more");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"Unknown code(77): what", "''", "corruption: small letters", "' Corruption: '"})
  void whatIsNotKnownIsUnknown(String message) {
    assertParsed(Code.UNKNOWN, SubCode.NONE, message);
  }

  @ParameterizedTest
  @CsvSource({
      "IO error: No space left on device: While appending to file: /db/000007.log, "
          + "'make room on that disk, and try again'",
      "IO error: While open a file for random read: /db/000009.sst: Too many open files, "
          + "'raise the limit of the process (ulimit -n), or lower DatabaseOptions.maxOpenFiles'",
      "Corruption: block checksum mismatch: stored = 1; in /db/000009.sst, "
          + "'the file is damaged: restore a backup, or let Repair save the intact rows'",
      "Result incomplete: Write stall, "
          + "'try again later, or let writes wait, without WriteOptions.noSlowdown'",
      "Operation failed. Try again.: Number of operands merged, ''"
  })
  void errorsThatTheUserCanHelpHaveAdvice(String message, String advice) {
    String wanted = message + " (here" + (advice.isEmpty() ? "" : ": " + advice) + ")";
    assertEquals(wanted, Status.parse(message, "here").getMessage());
  }

  @Test
  void aDetailThatLooksLikeACodeIsNone() {
    assertParsed(Code.INVALID_ARGUMENT, SubCode.NONE, "Invalid argument: Corruption: IO error: ");
  }
}
