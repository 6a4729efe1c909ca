/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The output lines of a program that must be equal on both libraries. Other lines are from the client. */
public final class Answers {
  static final String MARK = "answer: ";

  private final CRC32C crc = new CRC32C();
  private long rows;

  /** Prints the result of a step. */
  public static void say(String step, Object... found) {
    StringBuilder line = new StringBuilder(MARK).append(step).append(':');
    for (Object each : found) {
      line.append(' ').append(each);
    }
    System.out.println(line);
  }

  /** Adds a row that was read; the order counts. */
  public void row(byte[]... cells) {
    for (byte[] cell : cells) {
      crc.update(cell.length);
      crc.update(cell, 0, cell.length);
    }
    rows++;
  }

  /** Adds a row of objects whose text is the same in every JVM. */
  public void row(Object... cells) {
    for (Object cell : cells) {
      row(String.valueOf(cell).getBytes(StandardCharsets.UTF_8));
      rows--;
    }
    rows++;
  }

  /** Prints the number of rows, and their checksum. */
  public void end(String step) {
    say(step, rows, Long.toHexString(crc.getValue()));
  }
}
