/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/**
 * Creates requests by the grammar of the protocol: valid ones, and ones that are malformed in one or several places.
 */
final class Frames {
  private static final String[] NAMES = {
    "GET", "SET", "MGET", "EXISTS", "STRLEN", "DEL", "SCAN", "PING", "ECHO", "INFO", "COMMAND", "CONFIG", "CLIENT",
        "HELLO",
    "AUTH", "SELECT", "DBSIZE", "UNLINK", "SETEX", "LPUSH", "get", "sEt", "", "QUIT", "\u0000", "\r\n+OK",
  };
  private static final String[] WORDS = {
    "0", "1", "3", "-1", "18446744073709551615", "99999999999999999999", "MATCH", "COUNT", "AUTH", "SETNAME",
        "SETINFO", "*",
    "[", "\\", "*a*a*a*a*b", "GET", "save", "", "\r\n", "$3", "hostile:1", "hostile:2", "hostile:large",
  };
  private static final String[] NUMBERS = {
    "0", "1", "2", "3", "-1", "-2", "10000", "10001", "536870912", "536870913", "2147483647", "2147483648",
        "4294967295",
    "9223372036854775807", "9223372036854775808", "99999999999999999999", "", "+1", " 1", "1 ", "0x1", "1e3", "01",
  };
  private static final String KINDS = "*$+-:_#,(=%~>!a\0\r\n ";

  private final Random random;

  Frames(Random random) {
    this.random = random;
  }

  /** Returns several requests, each of which may be malformed. */
  byte[] some() {
    var all = new ByteArrayOutputStream();
    for (int i = random.nextInt(20); i >= 0; i--) {
      all.writeBytes(random.nextInt(8) == 0 ? line() : frame(random.nextInt(6) == 0));
    }
    byte[] bytes = all.toByteArray();
    if (random.nextInt(4) == 0) {
      mutate(bytes);
    }
    return bytes;
  }

  private byte[] line() {
    var words = new StringBuilder(pick(NAMES));
    for (int i = random.nextInt(4); i > 0; i--) {
      words.append(" ".repeat(random.nextInt(3))).append(pick(WORDS));
    }
    return Wire.bytes(words + (random.nextBoolean() ? "\r\n" : "\n"));
  }

  private byte[] frame(boolean isBroken) {
    int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 5);
    var all = new ByteArrayOutputStream();
    all.writeBytes(Wire.bytes(header('*', count, isBroken)));
    for (int i = 0; i < count; i++) {
      byte[] word = i == 0 ? Wire.bytes(pick(NAMES)) : argument();
      all.writeBytes(Wire.bytes(header('$', word.length, isBroken && random.nextInt(3) == 0)));
      all.writeBytes(word);
      all.writeBytes(Wire.bytes(isBroken && random.nextInt(10) == 0 ? "\n" : "\r\n"));
    }
    return all.toByteArray();
  }

  private String header(char kind, int number, boolean isBroken) {
    boolean wrongKind = isBroken && random.nextInt(6) == 0;
    boolean wrongNumber = isBroken && random.nextInt(3) == 0;
    return (wrongKind ? KINDS.charAt(random.nextInt(KINDS.length())) : kind)
        + (wrongNumber ? pick(NUMBERS) : Integer.toString(number))
        + "\r\n";
  }

  private byte[] argument() {
    return switch (random.nextInt(10)) {
      case 0 -> new byte[random.nextInt(200_000)];
      case 1 -> {
        byte[] noise = new byte[random.nextInt(100)];
        random.nextBytes(noise);
        yield noise;
      }
      default -> Wire.bytes(pick(WORDS));
    };
  }

  private void mutate(byte[] bytes) {
    for (int i = random.nextInt(5); i >= 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }
}
