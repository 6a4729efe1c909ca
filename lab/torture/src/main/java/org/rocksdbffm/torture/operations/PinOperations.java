/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Pin;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.Unsure;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Pins values, one or many in a call, reads and shares the pins, and closes them. */
public final class PinOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("pin", 200, PinOperations::pin),
          new Operation("readPin", 200, PinOperations::read),
          new Operation("readOwnSegment", 40, PinOperations::readSegment),
          new Operation("retainPin", 30, PinOperations::retain),
          new Operation("closePin", 120, PinOperations::close),
          new Operation("readPinBatch", 80, PinOperations::readBatch),
          new Operation("closePinBatch", 30, PinOperations::closeBatch),
          new Operation("readKeptView", 40, PinOperations::readKeptView),
          new Operation("multiGet", 80, PinOperations::multiGet),
          new Operation("multiGetPinned", 120, PinOperations::pinned),
          new Operation("newMultiGet", 10, PinOperations::make),
          new Operation("useMultiGet", 60, PinOperations::useShared));

  private PinOperations() {}

  private static void pin(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    PinnedValue value =
        switch (attempt.random.nextInt(3)) {
          case 0 -> question.reader().getPinned(question.key());
          case 1 -> question.reader().getPinned(ClientBytes.segment(question.key(), attempt));
          default -> question.reader().getPinned(ClientBytes.buffer(question.key(), attempt));
        };
    if (value == null) {
      question.check((byte[]) null, attempt);
      return;
    }
    byte[] expected = question.expected();
    if (!question.place().exact) {
      try (value) {
        RowOperations.read(value.segment());
      }
      return;
    }
    attempt.world.add(attempt.world.pins, new Pin<>(value, question.place().database, expected), attempt);
    attempt.check(expected != null && value.size() == expected.length, "the size of what was pinned");
  }

  private static void read(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    PinnedValue.View view = attempt.use(pin).view();
    Held<PinnedValue.View> held = new Held<>(view);
    try {
      attempt.check(pin.expected[0], view.segment(), "a pinned value");
    } finally {
      if (attempt.oneIn(10)) {
        attempt.client.viewed(held);
      } else {
        held.close(attempt.world.tally);
      }
    }
  }

  /**
   * Reads a value's segment, which is confined to the first thread that requests it until that thread closes the value.
   */
  private static void readSegment(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    attempt.allow(WrongThreadException.class, "(?s).*");
    attempt.allow(IllegalStateException.class, "Already closed"); // another holder closed it
    attempt.client.viewed(pin);
    attempt.check(pin.expected[0], attempt.touch(pin).segment(), "a pinned value by its own segment");
  }

  private static void retain(Attempt attempt) {
    Pin<?> pin =
        attempt.oneIn(3) ? attempt.world.pinBatches.any(attempt.random) : attempt.world.pins.any(attempt.random);
    if (pin != null) {
      attempt.use(pin);
      pin.retain();
    }
  }

  private static void close(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin != null) {
      pin.close(attempt.world.tally);
    }
  }

  private static void readBatch(Attempt attempt) {
    Pin<PinnedValues> pin = attempt.world.pinBatches.any(attempt.random);
    if (pin == null) {
      return;
    }
    PinnedValues values = attempt.touch(pin);
    int index = attempt.random.nextInt(pin.expected.length);
    byte[] expected = pin.expected[index];
    attempt.check(values.count() == pin.expected.length, "the count of many");
    attempt.check(values.isPresent(index) == (expected != null), "whether one of many is there");
    attempt.check(values.size(index) == (expected == null ? -1 : expected.length), "the size of one of many");
    switch (attempt.random.nextInt(5)) {
      case 0 -> {
        attempt.use(pin);
        attempt.check(expected, values.get(index), "one of many");
      }
      case 1 -> {
        attempt.use(pin);
        attempt.check(expected, values.toList().get(index), "one of a list");
      }
      case 2 -> {
        attempt.allow(WrongThreadException.class, "(?s).*");
        attempt.allow(IllegalStateException.class, "Already closed");
        attempt.client.viewed(pin);
        attempt.check(expected, values.segment(index), "one of many by its own segment");
      }
      case 3 -> {
        attempt.allow(IndexOutOfBoundsException.class, ".*");
        attempt.allow(ArrayIndexOutOfBoundsException.class, ".*");
        attempt.use(pin);
        values.get(pin.expected.length);
        throw new WrongAnswer("a value that nobody asked for");
      }
      default -> {
        attempt.use(pin);
        PinnedValues.View view = values.view();
        attempt.check(expected, view.segment(index), "one of many in a view");
        attempt.client.viewed(new Held<>(view));
      }
    }
  }

  private static void closeBatch(Attempt attempt) {
    Pin<PinnedValues> pin = attempt.world.pinBatches.any(attempt.random);
    if (pin != null) {
      pin.close(attempt.world.tally);
    }
  }

  private static void readKeptView(Attempt attempt) {
    Held<?> held = attempt.client.anyView(attempt);
    if (held != null && held.object instanceof PinnedValue.View view) {
      attempt.use(held);
      RowOperations.read(view.segment());
      if (attempt.oneIn(4)) {
        held.close(attempt.world.tally);
      }
    }
  }

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
        other.object instanceof ColumnFamily && other.database == place.database && place.point == null;
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
