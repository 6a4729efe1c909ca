/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibcTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "/usr/lib/x86_64-linux-gnu/libc.so.6, GNU",
    "/lib64/libc-2.31.so, GNU",
    "/lib64/libc.so.6 (deleted), GNU",
    "/lib/ld-musl-x86_64.so.1, MUSL",
    "/lib/ld-musl-aarch64.so.1 (deleted), MUSL",
    "/usr/lib/libc.so, MUSL",
  })
  void theMappedLibraryTells(String library, Libc libc) throws IOException {
    String around = "7f00-7f01 r-xp 00000000 fe:00 12 /opt/ld-musl-notes/libcrypto.so.3\n";
    String mapped = "7f02-7f03 r--p 00000000 fe:00 1234                       " + library + "\n";
    assertEquals(libc, Libc.of(Files.writeString(folder.resolve("maps"), around + mapped), folder.resolve("none")));
  }

  @ParameterizedTest
  @CsvSource({
    "/lib64/ld-linux-x86-64.so.2, GNU, LITTLE_ENDIAN",
    "/lib/ld-musl-x86_64.so.1, MUSL, LITTLE_ENDIAN",
    "/lib/ld-musl-s390x.so.1, MUSL, BIG_ENDIAN",
  })
  void withoutProcTheInterpreterOfTheExecutableTells(String interpreter, Libc libc, String order) throws IOException {
    ByteOrder bytes = order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    Path executable = Files.write(folder.resolve("java"), elf(interpreter, bytes));
    assertEquals(libc, Libc.of(folder.resolve("none"), executable));
  }

  @Test
  void aTruncatedExecutableIsTakenForGnu() throws IOException {
    byte[] whole = elf("/lib/ld-musl-x86_64.so.1", ByteOrder.LITTLE_ENDIAN);
    for (int size = 0; size < 64 + 56; size++) {
      Path executable = Files.write(folder.resolve("java"), Arrays.copyOf(whole, size));
      assertEquals(Libc.GNU, Libc.of(folder.resolve("none"), executable), "of " + size + " bytes");
    }
  }

  @Test
  void theExecutableOfThisJvmAgreesWithItsMaps() {
    Path executable = Path.of(System.getProperty("java.home"), "bin", "java");
    assertEquals(Libc.ofThisProcess(), Libc.of(folder.resolve("none"), executable));
  }

  private static byte[] elf(String interpreter, ByteOrder order) {
    byte[] path = (interpreter + "\0").getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer elf = ByteBuffer.allocate(64 + 56 + path.length).put(new byte[] {0x7f, 'E', 'L', 'F', 2}).order(order);
    elf.put(5, (byte) (order == ByteOrder.BIG_ENDIAN ? 2 : 1));
    elf.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 1);
    elf.putInt(64, 3).putLong(64 + 8, 64 + 56).putLong(64 + 32, path.length);
    return elf.put(64 + 56, path).array();
  }
}
