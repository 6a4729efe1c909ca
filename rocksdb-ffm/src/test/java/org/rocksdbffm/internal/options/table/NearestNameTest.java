/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  private static final List<String> KNOWN =
      List.of("write_buffer_size", "compression", "ttl", "kZSTD", "kLZ4Compression", "kLZ4HCCompression");

  @Test
  void theNearestNameIsTheOneWithTheFewestChanges() {
    assertEquals(Optional.of("compression"), NearestName.of("compresion", KNOWN));
    assertEquals(Optional.of("ttl"), NearestName.of("tl", KNOWN));
    assertEquals(Optional.of("write_buffer_size"), NearestName.of("writebuffersize", KNOWN));
    assertEquals(Optional.empty(), NearestName.of("zzzzzz", KNOWN));
    assertEquals(Optional.empty(), NearestName.of("x", List.of()));
    assertEquals(Optional.empty(), NearestName.of("", List.of("compression")));
  }

  @Test
  void lettersOfTheOtherCaseAndAPartOfANameAreNear() {
    assertEquals(Optional.of("kZSTD"), NearestName.of("zstd", KNOWN));
    assertEquals(Optional.of("kLZ4Compression"), NearestName.of("LZ4", KNOWN));
  }
}
