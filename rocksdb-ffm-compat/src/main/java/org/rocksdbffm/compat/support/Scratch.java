/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Native memory during a call: for text, for the C API's struct around a pointer, and for the error message. */
public final class Scratch {
  private Scratch() {}

  /**
   * Returns a call that is used only for its memory: rocksdbjni's method has already announced the objects that it
   * uses.
   */
  @CompiledApart
  public static Call enter() {
    return Call.borrow();
  }

  /** Enters a call with a key. */
  @CompiledApart
  public static Call enter(byte[] key, int offset, int length) {
    Call call = enter();
    try {
      ByteBuffer room = call.keyBuffer(length);
      if (room != null) {
        copy(key, offset, length, room, 0);
      } else {
        call.copyKey(key, offset, length);
      }
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  /**
   * Copies to an index of a buffer. A method of the core for this would be compiled twice, also as a part of this
   * method, because only the drop-in's methods can have an inlining barrier.
   */
  @CompiledApart
  private static void copy(byte[] source, int offset, int length, ByteBuffer target, int index) {
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        target.put(index + i, source[offset + i]);
      }
    } else if (length <= Memory.FEW_BYTES) {
      int last = length - Long.BYTES;
      for (int i = 0; ; i = Math.min(i + Long.BYTES, last)) { // one putLong in the loop means less code to compile
        target.putLong(index + i, Memory.word(source, offset + i));
        if (i == last) {
          return;
        }
      }
    } else {
      target.put(index, source, offset, length);
    }
  }

  /** Copies from the start of a buffer. */
  @CompiledApart
  public static void copy(ByteBuffer source, byte[] target, int length) {
    Memory.copyFromStart(source, target, 0, length);
  }

  /** Enters a call with a key from a buffer. The offset is absolute. */
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

  /** Enters a call with a key and a value. */
  @CompiledApart
  public static Call enter(byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength) {
    Call call = enter(key, keyOffset, keyLength);
    try {
      ByteBuffer room = call.valueBuffer(valueLength);
      if (room != null) {
        copy(value, valueOffset, valueLength, room, 0);
      } else {
        call.copyValue(value, valueOffset, valueLength);
      }
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

  /** Enters a call whose value is a key and, immediately after it, a value. */
  @CompiledApart
  public static Call enterPair(
      byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength) {
    Call call = enter();
    try {
      ByteBuffer room = call.valueBuffer((long) keyLength + valueLength);
      if (room != null) {
        copy(key, keyOffset, keyLength, room, 0);
        copy(value, valueOffset, valueLength, room, keyLength);
      } else {
        call.copyIntoValue(0, key, keyOffset, keyLength);
        call.copyIntoValue(keyLength, value, valueOffset, valueLength);
      }
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  /** Enters a call as above, with a key and a value from buffers. The offsets are absolute. */
  public static Call enterPair(
      ByteBuffer key, int keyOffset, int keyLength, ByteBuffer value, int valueOffset, int valueLength) {
    Call call = enter();
    try {
      call.reserveValue((long) keyLength + valueLength);
      call.copyIntoValue(0, key, keyOffset, keyLength);
      call.copyIntoValue(keyLength, value, valueOffset, valueLength);
      return call;
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }

  public static void leave(Call call) {
    call.exit();
  }

  /** Returns the address for the function's error message. */
  public static long error(Call call) {
    return call.error.address();
  }

  /** Throws if the function has written an error message. */
  public static void check(Call call) throws RocksDBException {
    if (call.hasFailed()) {
      throw Errors.take(call.error);
    }
  }

  /** Ignores an error that rocksdbjni ignores too. */
  public static void ignore(Call call) {
    if (call.hasFailed()) {
      Errors.take(call.error);
    }
  }

  /** Creates the C API's struct around a pointer, in one of the call's two pairs of words, and returns its address. */
  public static long wrap(Call call, int word, long pointer) {
    call.word(word + 1, 0);
    return call.word(word, pointer);
  }

  /** Copies a text to the call's memory as a C string, and returns its address. */
  public static long text(Call call, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    call.reserveValue(bytes.length + 1L);
    MemorySegment memory = call.value();
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    memory.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    return memory.address();
  }

  /** Converts a C boolean that is a number. */
  public static boolean isTrue(int number) {
    return number != 0;
  }
}
