/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloomfilter:10", "bloomfilter:12.5:false", "bloomfilter:10:true", "bloomfilter:0.1", "ribbonfilter:9.5"
      })
  void theEngineMakesTheFiltersThatItIsNotAskedFor(String filter) {
    assertTrue(OptionNames.isUsualFilter(filter));
    assertFalse(OptionNames.isPassedOver("block_based_table_factory={%s}", "filter_policy", filter));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "bloomfilter", "bloomfilter:", "bloomfilter:.", "bloomfilter:.5", "bloomfilter:5.", "bloomfilter:1.2.3",
        "bloomfilter:x", "bloomfilter:-1", "bloomfilter:1E1", "bloomfilter:10:", "bloomfilter:10:no", "blom:10",
        "bloomfilter:10:false:", "ribbonfilter:10:false", "bloomfilter:\u0661"
      })
  void anyOtherFilterIsLeftToTheEngine(String filter) {
    assertFalse(OptionNames.isUsualFilter(filter));
  }
}
