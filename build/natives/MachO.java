/* Licensed under the Apache License, Version 2.0; see LICENSE. */

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The file of a macOS library for one processor: its exports, required libraries and signature. */
final class MachO {
  private static final int MAGIC_64 = 0xfeedfacf;
  private static final int X86_64 = 0x01000007;
  private static final int ARM64 = 0x0100000c;
  private static final int DYLIB = 6;
  private static final int HEADER = 32;

  /** The version of a library that is not for macOS; greater than all versions. */
  private static final String NEVER = "99999";

  private static final int LOAD_DYLIB = 0xc;
  private static final int ID_DYLIB = 0xd;
  private static final int CODE_SIGNATURE = 0x1d;
  private static final int VERSION_MIN_MACOSX = 0x24;
  private static final int BUILD_VERSION = 0x32;
  private static final int EXPORTS_TRIE = 0x80000033;
  private static final int DYLD_INFO = 0x22;
  private static final int DYLD_INFO_ONLY = 0x80000022;
  private static final int MACOS = 1;

  private static final int SIGNATURE = 0xfade0cc0;
  private static final int CODE_DIRECTORY = 0xfade0c02;
  private static final int SHA256 = 2;

  private final ByteBuffer file;
  private final Set<String> exports = new TreeSet<>();
  private final Set<String> needed = new TreeSet<>();
  private String name = "";
  private String leastVersion = NEVER;
  private int signatureAt;

  MachO(byte[] bytes) {
    file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (file.getInt(0) != MAGIC_64) {
      throw new IllegalArgumentException("no file for macOS of one processor of 64 bits");
    }
    int command = HEADER;
    for (int i = 0; i < file.getInt(16); i++) {
      read(command);
      command += file.getInt(command + 4);
    }
  }

  private void read(int command) {
    switch (file.getInt(command)) {
      case LOAD_DYLIB -> needed.add(text(command + file.getInt(command + 8)));
      case ID_DYLIB -> name = text(command + file.getInt(command + 8));
      case VERSION_MIN_MACOSX -> leastVersion = version(file.getInt(command + 8));
      case BUILD_VERSION ->
          leastVersion = file.getInt(command + 8) == MACOS ? version(file.getInt(command + 12)) : NEVER;
      case DYLD_INFO, DYLD_INFO_ONLY -> readTrie(file.getInt(command + 40), file.getInt(command + 44));
      case EXPORTS_TRIE -> readTrie(file.getInt(command + 8), file.getInt(command + 12));
      case CODE_SIGNATURE -> signatureAt = file.getInt(command + 8);
      default -> { }
    }
  }

  private static String version(int packed) {
    return (packed >>> 16) + "." + (packed >>> 8 & 0xff);
  }

  private void readTrie(int at, int size) {
    if (size != 0) {
      readNode(at, at, "");
    }
  }

  /** Reads a trie node: the size of its symbol's data, the data, and the children, each with a label and an offset. */
  private void readNode(int trie, int node, String before) {
    file.position(node);
    int length = number();
    int children = file.position() + length;
    if (length != 0) {
      exports.add(before.startsWith("_") ? before.substring(1) : before);
    }
    file.position(children);
    int count = Byte.toUnsignedInt(file.get());
    int next = file.position();
    for (int i = 0; i < count; i++) {
      String letters = text(next);
      file.position(next + letters.length() + 1);
      int child = number();
      next = file.position();
      readNode(trie, trie + child, before + letters);
    }
  }

  private int number() {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte part = file.get();
      value |= (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }

  private String text(int at) {
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    return new String(file.array(), at, end - at, StandardCharsets.UTF_8);
  }

  String processor() {
    return switch (file.getInt(4)) {
      case X86_64 -> "x86_64";
      case ARM64 -> "arm64";
      default -> "another processor";
    };
  }

  boolean isDylib() {
    return file.getInt(12) == DYLIB;
  }

  String name() {
    return name;
  }

  String leastVersion() {
    return leastVersion;
  }

  Set<String> exports() {
    return exports;
  }

  Set<String> needed() {
    return needed;
  }

  boolean isSigned() {
    return signatureAt != 0;
  }

  /** Whether each page has the signed digest. The kernel kills a process that executes any other page. */
  boolean isSignatureOfItsPages() {
    ByteBuffer signature = file.duplicate().order(ByteOrder.BIG_ENDIAN);
    boolean found = false;
    if (signature.getInt(signatureAt) == SIGNATURE) {
      for (int i = 0; i < signature.getInt(signatureAt + 8); i++) {
        int part = signatureAt + signature.getInt(signatureAt + 12 + 8 * i + 4);
        if (signature.getInt(part) == CODE_DIRECTORY && signature.get(part + 37) == SHA256) {
          found = true;
          if (!arePagesAsSigned(signature, part)) {
            return false;
          }
        }
      }
    }
    return found;
  }

  private boolean arePagesAsSigned(ByteBuffer signature, int directory) {
    int digests = directory + signature.getInt(directory + 16);
    int count = signature.getInt(directory + 28);
    int limit = signature.getInt(directory + 32);
    int size = Byte.toUnsignedInt(signature.get(directory + 36));
    int page = 1 << signature.get(directory + 39);
    if (limit != signatureAt || count != (limit + page - 1) / page) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      byte[] digest = sha256(i * page, Math.min(page, limit - i * page));
      int signed = digests + i * size;
      if (!Arrays.equals(digest, 0, size, file.array(), signed, signed + size)) {
        return false;
      }
    }
    return true;
  }

  private byte[] sha256(int at, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(file.array(), at, length);
      return digest.digest();
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
