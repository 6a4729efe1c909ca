/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The lines of a program that both turns have to print alike. All else that it prints is its client's talk. */
public final class Answers {
  static final String MARK = "answer: ";

  private final CRC32C crc = new CRC32C();
  private long rows;

  /** Prints a line of what a step found. */
  public static void say(String step, Object... found) {
    StringBuilder line = new StringBuilder(MARK).append(step).append(':');
    for (Object each : found) {
      line.append(' ').append(each);
    }
    System.out.println(line);
  }

  /** A row of what was read, in the order of reading. */
  public void row(byte[]... cells) {
    for (byte[] cell : cells) {
      crc.update(cell.length);
      crc.update(cell, 0, cell.length);
    }
    rows++;
  }

  /** A row that is printed in the same way by every JVM. */
  public void row(Object... cells) {
    for (Object cell : cells) {
      row(String.valueOf(cell).getBytes(StandardCharsets.UTF_8));
      rows--;
    }
    rows++;
  }

  /** Prints how many rows there were, and their checksum. */
  public void end(String step) {
    say(step, rows, Long.toHexString(crc.getValue()));
  }
}
