/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LibcTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void itIsTheOneThatIsMapped() throws IOException {
    boolean isMusl = Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).contains("/ld-musl-");
    assertEquals(isMusl ? Libc.MUSL : Libc.GNU, Libc.ofThisProcess());
  }
}
