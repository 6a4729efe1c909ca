/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Pin;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.Unsure;

/** Reads many keys in a call, with a client's requests, and with shared requests that are used concurrently. */
public final class MultiGetOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("multiGet", 80, MultiGetOperations::multiGet),
          new Operation("multiGetPinned", 120, MultiGetOperations::pinned),
          new Operation("newMultiGet", 10, MultiGetOperations::make),
          new Operation("useMultiGet", 60, MultiGetOperations::useShared));

  private MultiGetOperations() {}

  private static void multiGet(Attempt attempt) {
    Place place = place(attempt);
    attempt.use(place);
    List<byte[]> keys = ClientBytes.keys(place.clientSeenBy(attempt.client.number), attempt.random);
    List<byte[]> values = place.object.multiGet(keys);
    attempt.check(values.size() == keys.size(), "how many values");
    for (int i = 0; i < keys.size(); i++) {
      attempt.check(place.rowsSeenBy(attempt.client.number).get(keys.get(i)), values.get(i), "one of many keys");
    }
  }

  private static Place place(Attempt attempt) {
    Place place = attempt.world.anyPlace(attempt.random);
    return place.exact ? place : attempt.world.anySlot(attempt.random).place;
  }

  private static void pinned(Attempt attempt) {
    Place place = place(attempt);
    MultiGet request = attempt.touch(place).multiGet();
    Place other = attempt.world.anyPlace(attempt.random);
    boolean familyToo =
        other.object instanceof ColumnFamily && other.database == place.database && place.moment == null;
    attempt.use(place);
    List<byte[]> expected = new ArrayList<>();
    for (byte[] key : ClientBytes.keys(place.clientSeenBy(attempt.client.number), attempt.random)) {
      if (familyToo && attempt.oneIn(3)) {
        attempt.touch(other);
        add(request, (ColumnFamily) other.object, key, attempt);
        expected.add(other.rowsSeenBy(attempt.client.number).get(key));
      } else {
        add(request, key, attempt);
        expected.add(place.rowsSeenBy(attempt.client.number).get(key));
      }
    }
    attempt.check(request.count() == expected.size(), "how many keys");
    PinnedValues values = request.get();
    Pin<PinnedValues> pin = new Pin<>(values, place.database, expected.toArray(new byte[0][]));
    attempt.world.add(attempt.world.pinBatches, pin, attempt);
    if (attempt.oneIn(3)) {
      attempt.check(request.clear().count() == 0, "a cleared request");
    }
  }

  private static void add(MultiGet request, byte[] key, Attempt attempt) {
    switch (attempt.random.nextInt(3)) {
      case 0 -> request.add(key);
      case 1 -> request.add(ClientBytes.segment(key, attempt));
      default -> request.add(ClientBytes.buffer(key, attempt));
    }
  }

  private static void add(MultiGet request, ColumnFamily family, byte[] key, Attempt attempt) {
    switch (attempt.random.nextInt(3)) {
      case 0 -> request.add(family, key);
      case 1 -> request.add(family, ClientBytes.segment(key, attempt));
      default -> request.add(family, ClientBytes.buffer(key, attempt));
    }
  }

  private static void make(Attempt attempt) {
    Place place = place(attempt);
    attempt.world.add(
        attempt.world.multiGets, new Held<>(attempt.touch(place).multiGet(), new Unsure(place)), attempt);
  }

  private static void useShared(Attempt attempt) {
    Held<MultiGet> held = attempt.world.multiGets.any(attempt.random);
    if (held == null) {
      return;
    }
    MultiGet request = attempt.share(held);
    attempt.allow(IllegalArgumentException.class, "(?s)columnFamily: .* is not of .*");
    byte[] key = WriteOperations.anyKey(attempt);
    if (request.count() > 100) {
      request.clear();
    }
    Place other = attempt.world.anyPlace(attempt.random);
    switch (attempt.random.nextInt(7)) {
      case 0 -> request.clear();
      case 1 -> request.get().close();
      case 2 -> {
        if (other.object instanceof ColumnFamily family) {
          add(request, family, key, attempt);
        }
      }
      case 3 -> {
        try (PinnedValues values = request.get()) {
          values.toList().forEach(value -> attempt.check(value == null || value.length >= 0, "a value"));
        }
      }
      default -> add(request, key, attempt);
    }
  }
}
