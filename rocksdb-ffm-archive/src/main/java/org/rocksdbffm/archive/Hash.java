/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of objects. */
final class Hash {
  private Hash() {}

  static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each Java platform has it
    }
  }

  static byte[] of(byte[] bytes, int length) {
    MessageDigest digest = start();
    digest.update(bytes, 0, length);
    return digest.digest();
  }
}
