/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rocksdbffm.tools.Bytes.bytes;

import org.junit.jupiter.api.Test;

class KeyRangeTest {
  @Test
  void rangesOfTheSameKeysAreEqual() {
    KeyRange range = KeyRange.between(bytes("a"), bytes("b"));
    assertEquals(range, KeyRange.prefix(bytes("a")));
    assertEquals(range.hashCode(), KeyRange.prefix(bytes("a")).hashCode());
    assertNotEquals(range, KeyRange.from(bytes("a")));
  }

  @Test
  void keysAreCopied() {
    byte[] key = bytes("a");
    KeyRange range = KeyRange.from(key);
    key[0] = 'z';
    assertEquals(KeyRange.from(bytes("a")), range);
  }

  @Test
  void theTextShowsTheKeysInHexadecimal() {
    assertEquals("[61, 62)", KeyRange.prefix(bytes("a")).toString());
    assertEquals("[..., ...)", KeyRange.all().toString());
    assertEquals("[, ...)", KeyRange.from(new byte[0]).toString());
  }

  @Test
  void noKeyIsRefused() {
    assertEquals("key", assertThrows(NullPointerException.class, () -> KeyRange.from((byte[]) null)).getMessage());
    var e = assertThrows(NullPointerException.class, () -> KeyRange.between(bytes("a"), null));
    assertEquals("until", e.getMessage());
    assertThrows(NullPointerException.class, () -> KeyRange.prefix((byte[]) null));
  }
}
