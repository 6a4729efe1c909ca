/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.encryption;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.internal.foreign.Downcalls;

/**
 * Tests the cipher of the C++ stubs: the fastest variant (0), without the processor's AES instructions (1), and with
 * AES instructions of one block only (2).
 */
class CipherTest {
  private static final MethodHandle CIPHER =
      Downcalls.link(
          "rocksdb_ffm_cxx_aes_ctr",
          MethodType.methodType(
              void.class, long.class, long.class, long.class, long.class, long.class, int.class));

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static byte[] encrypted(byte[] key, byte[] nonce, long offset, byte[] text, int variant) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(text.length + 1L);
      MemorySegment.copy(text, 0, data, ValueLayout.JAVA_BYTE, 0, text.length);
      CIPHER.invokeExact(
          arena.allocateFrom(ValueLayout.JAVA_BYTE, key).address(),
          arena.allocateFrom(ValueLayout.JAVA_BYTE, nonce).address(),
          offset,
          data.address(),
          (long) text.length,
          variant);
      return data.asSlice(0, text.length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** NIST SP 800-38A, F.5.5 CTR-AES256.Encrypt. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theVectorsOfNistAreRight(int variant) throws Throwable {
    byte[] key = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    byte[] nonce = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    byte[] text =
        hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
    byte[] cipher =
        hex(
            "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
                + "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");
    assertArrayEquals(cipher, encrypted(key, nonce, 0, text, variant));
    assertArrayEquals(text, encrypted(key, nonce, 0, cipher, variant));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anyRangeIsAsTheJdkEncryptsIt(int variant) throws Throwable {
    Random random = new Random(variant);
    for (int i = 0; i < 500; i++) {
      byte[] key = new byte[32];
      byte[] nonce = new byte[16];
      random.nextBytes(key);
      random.nextBytes(nonce);
      if (i % 3 == 0) {
        Arrays.fill(nonce, i % 2 * 8, 16, (byte) -1); // the counter carries or overflows
      }
      long offset = i % 5 == 0 ? random.nextLong(1L << 62) : random.nextInt(100);
      byte[] text = new byte[random.nextInt(800)];
      random.nextBytes(text);
      assertArrayEquals(ofJdk(key, nonce, offset, text), encrypted(key, nonce, offset, text, variant));
    }
  }

  private static byte[] ofJdk(byte[] key, byte[] nonce, long offset, byte[] text) throws Exception {
    BigInteger sum = new BigInteger(1, nonce).add(BigInteger.valueOf(offset / 16)).mod(BigInteger.ONE.shiftLeft(128));
    byte[] bytes = sum.toByteArray();
    byte[] counter = new byte[16];
    int length = Math.min(16, bytes.length);
    System.arraycopy(bytes, bytes.length - length, counter, 16 - length, length);
    Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(counter));
    cipher.update(new byte[(int) (offset % 16)]);
    return cipher.doFinal(text);
  }
}
