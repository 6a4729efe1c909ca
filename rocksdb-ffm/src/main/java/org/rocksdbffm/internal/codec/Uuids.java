/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.util.UUID;

/** The key encoding of UUIDs: their 16 bytes, so they sort as their text does, unlike {@link UUID#compareTo}. */
public final class Uuids {
  private Uuids() {}

  public static KeyForm<UUID> uuid() {
    KeyForm<Long> half = Numbers.unsigned64();
    return Tuples.of(half, UUID::getMostSignificantBits, half, UUID::getLeastSignificantBits, UUID::new);
  }
}
