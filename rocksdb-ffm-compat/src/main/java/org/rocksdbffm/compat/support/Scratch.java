/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;

/**
 * Native memory for the length of one call: for a text, for the C API's struct around a pointer, and for its message
 * when it fails.
 */
public final class Scratch {
  /** Nobody closes it: what the call uses was announced by the method that upstream wrote. */
  private static final Handle NOTHING = new Handle("nothing");

  private Scratch() {}

  public static Call enter() {
    return Call.enter(NOTHING);
  }

  /** A call that has a key. */
  @CompiledApart
  public static Call enter(byte[] key, int offset, int length) {
    Call call = enter();
    try {
      call.copyKey(key, offset, length);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  /** A call that has a key of a buffer; the offset is absolute, whatever the buffer's position. */
  public static Call enter(ByteBuffer key, int offset, int length) {
    Call call = enter();
    try {
      call.copyKey(key, offset, length);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  /** A call that has a key and a value. */
  @CompiledApart
  public static Call enter(byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength) {
    Call call = enter(key, keyOffset, keyLength);
    try {
      call.copyValue(value, valueOffset, valueLength);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  public static Call enter(
      ByteBuffer key, int keyOffset, int keyLength, ByteBuffer value, int valueOffset, int valueLength) {
    Call call = enter(key, keyOffset, keyLength);
    try {
      call.copyValue(value, valueOffset, valueLength);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  public static void leave(Call call) {
    call.exit();
  }

  /** Where the function writes its message. */
  public static long error(Call call) {
    return call.error.address();
  }

  /** Throws if the function said that it failed. */
  public static void check(Call call) throws RocksDBException {
    if (call.hasFailed()) {
      throw Errors.take(call.error);
    }
  }

  /** Passes over a failure that upstream does not tell. */
  public static void ignore(Call call) {
    if (call.hasFailed()) {
      Errors.take(call.error);
    }
  }

  /** The C API's struct around a pointer, with its second word 0; made at the word with that number, of two. */
  public static long wrap(Call call, int word, long pointer) {
    call.word(word + 1, 0);
    return call.word(word, pointer);
  }

  /** A C string; a call has room for one of any length. */
  public static long text(Call call, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    call.reserveValue(bytes.length + 1L);
    MemorySegment memory = call.value();
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    memory.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    return memory.address();
  }

  /** A truth value of C's that is as wide as a number. */
  public static boolean isTrue(int number) {
    return number != 0;
  }
}
