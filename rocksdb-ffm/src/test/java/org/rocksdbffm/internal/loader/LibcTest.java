/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Linker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LibcTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void itIsTheOneWhoseFunctionsTheProcessHas() {
    boolean isGnu = Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent();
    assertEquals(isGnu ? Libc.GNU : Libc.MUSL, Libc.ofThisProcess());
  }
}
