/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionNamesTest {
  private static final Set<String> KNOWN = Set.of("write_buffer_size", "compression", "ttl");

  @Test
  void theNearestNameIsTheOneWithTheFewestChanges() {
    assertEquals(Optional.of("compression"), OptionNames.nearest("compresion", KNOWN));
    assertEquals(Optional.of("ttl"), OptionNames.nearest("tl", KNOWN));
    assertEquals(Optional.of("write_buffer_size"), OptionNames.nearest("writebuffersize", KNOWN));
    assertEquals(Optional.empty(), OptionNames.nearest("zzzzzz", KNOWN));
    assertEquals(Optional.empty(), OptionNames.nearest("x", Set.of()));
    assertEquals(Optional.empty(), OptionNames.nearest("", Set.of("compression")));
  }

  @Test
  void adviceIsGivenForUnknownNamesAlone() {
    assertEquals("", OptionNames.advice(Set.of("write_buffer_size"), Set.of("block_size")));
    assertEquals(
        "unknown option 'block_sizes'; unknown table option 'blocksize'; did you mean 'block_size'?",
        OptionNames.advice(Set.of("block_sizes"), Set.of("blocksize")).replaceFirst("'; did you mean '[^']*'\\?;", "';"));
  }

  @Test
  void anObjectsIdStandsAloneOrInBraces() {
    assertEquals("max", OptionNames.objectId("max"));
    assertEquals("max", OptionNames.objectId("{id=max;x=1}"));
    assertEquals("max", OptionNames.objectId("id=max"));
    assertEquals("", OptionNames.objectId("{}"));
  }
}
