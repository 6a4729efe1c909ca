/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a stream, in hexadecimal as sha256sum prints it. */
final class Sha256 {
  static final int LENGTH = 64;

  private static final int BUFFER = 1 << 18;

  private Sha256() {}

  static String of(InputStream in) throws IOException {
    return ofCopy(in, OutputStream.nullOutputStream());
  }

  /** Copies a stream, and returns the digest of the copied bytes. */
  static String ofCopy(InputStream in, OutputStream out) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER];
    for (int size = in.read(buffer); size > 0; size = in.read(buffer)) {
      digest.update(buffer, 0, size);
      out.write(buffer, 0, size);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static boolean isText(String text) {
    boolean digits = text.length() == LENGTH;
    for (int i = 0; digits && i < LENGTH; i++) {
      digits = "0123456789abcdef".indexOf(text.charAt(i)) >= 0;
    }
    return digits;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }
}
