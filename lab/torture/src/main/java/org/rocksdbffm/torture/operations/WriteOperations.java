/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.World;
import org.rocksdbffm.torture.world.WrongAnswer;

/** Writes single keys with all methods. */
public final class WriteOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("put", 500, WriteOperations::put),
          new Operation("merge", 120, WriteOperations::merge),
          new Operation("delete", 150, WriteOperations::delete),
          new Operation("singleDelete", 60, WriteOperations::singleDelete),
          new Operation("deleteRange", 30, WriteOperations::deleteRange),
          new Operation("deleteRangeBackward", 5, WriteOperations::deleteRangeBackward),
          new Operation("withWriteOptions", 30, WriteOperations::with));

  private static final int LONG_VALUE = 30_000;

  private WriteOperations() {}

  /** A place to write to, and the client's rows there. */
  record Target(Place place, NavigableMap<byte[], byte[]> rows) {
    static Target choose(Attempt attempt) {
      Place place = attempt.world.anyWritable(attempt.random);
      attempt.use(place);
      attempt.touch(new FamilyOperations.Dropped(place));
      attempt.allow(Code.INCOMPLETE); // the write would be slowed down, and its options forbid that
      return new Target(place, place.family.of(attempt.client.number));
    }

    KeySpace space() {
      return place.keySpace();
    }
  }

  static byte[] anyKey(Attempt attempt) {
    return ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
  }

  private static void put(Attempt attempt) {
    Target target = Target.choose(attempt);
    byte[] key = anyKey(attempt);
    byte[] value = ClientBytes.value(attempt.random);
    switch (attempt.random.nextInt(3)) {
      case 0 -> target.space().put(key, value);
      case 1 -> target.space().put(ClientBytes.segment(key, attempt), ClientBytes.segment(value, attempt));
      default -> target.space().put(ClientBytes.buffer(key, attempt), ClientBytes.buffer(value, attempt));
    }
    target.rows.put(key, value);
  }

  /** Returns the result of merging an operand into a value; the value may be null. */
  static byte[] merged(byte[] value, byte[] operand) {
    if (value == null) {
      return operand;
    }
    byte[] both = Arrays.copyOf(value, value.length + 1 + operand.length);
    both[value.length] = World.DELIMITER;
    System.arraycopy(operand, 0, both, value.length + 1, operand.length);
    return both;
  }

  private static void merge(Attempt attempt) {
    Target target = Target.choose(attempt);
    byte[] key = anyKey(attempt);
    byte[] old = target.rows.get(key);
    byte[] operand = new byte[1 + attempt.random.nextInt(300)];
    attempt.random.nextBytes(operand);
    if (old != null && old.length > LONG_VALUE) {
      target.space().put(key, operand);
      target.rows.put(key, operand);
      return;
    }
    switch (attempt.random.nextInt(3)) {
      case 0 -> target.space().merge(key, operand);
      case 1 -> target.space().merge(ClientBytes.segment(key, attempt), ClientBytes.segment(operand, attempt));
      default -> target.space().merge(ClientBytes.buffer(key, attempt), ClientBytes.buffer(operand, attempt));
    }
    target.rows.put(key, merged(old, operand));
  }

  private static void delete(Attempt attempt) {
    Target target = Target.choose(attempt);
    byte[] key = anyKey(attempt);
    switch (attempt.random.nextInt(3)) {
      case 0 -> target.space().delete(key);
      case 1 -> target.space().delete(ClientBytes.segment(key, attempt));
      default -> target.space().delete(ClientBytes.buffer(key, attempt));
    }
    target.rows.remove(key);
  }

  /** Uses separate keys, each alternately put and deleted, because single deletes are undefined for others. */
  private static void singleDelete(Attempt attempt) {
    Target target = Target.choose(attempt);
    byte[] key = ClientBytes.singleKey(attempt.client.number, attempt.random.nextInt(8));
    if (!target.rows.containsKey(key)) {
      byte[] value = ClientBytes.value(attempt.random);
      target.space().put(key, value);
      target.rows.put(key, value);
      return;
    }
    switch (attempt.random.nextInt(3)) {
      case 0 -> target.space().singleDelete(key);
      case 1 -> target.space().singleDelete(ClientBytes.segment(key, attempt));
      default -> target.space().singleDelete(ClientBytes.buffer(key, attempt));
    }
    target.rows.remove(key);
  }

  private static void deleteRange(Attempt attempt) {
    Target target = Target.choose(attempt);
    int first = attempt.random.nextInt(ClientBytes.KEYS);
    byte[] from = ClientBytes.key(attempt.client.number, first);
    byte[] until =
        ClientBytes.key(attempt.client.number, Math.min(ClientBytes.KEYS - 1, first + attempt.random.nextInt(4)));
    switch (attempt.random.nextInt(5)) {
      case 0 -> target.space().deleteRange(from, until);
      case 4 -> {
        target.space().deleteRange(KeyRange.closed(from, until).excludingStart());
        target.rows.subMap(from, false, until, true).clear();
        return;
      }
      case 1 -> target.space().deleteRange(KeyRange.between(from, until));
      case 2 -> target.space().deleteRange(ClientBytes.segment(from, attempt), ClientBytes.segment(until, attempt));
      default -> target.space().deleteRange(ClientBytes.buffer(from, attempt), ClientBytes.buffer(until, attempt));
    }
    target.rows.subMap(from, until).clear();
  }

  private static void deleteRangeBackward(Attempt attempt) {
    Target target = Target.choose(attempt);
    try {
      target.space().deleteRange(ClientBytes.key(attempt.client.number, 9), ClientBytes.key(attempt.client.number, 2));
    } catch (IllegalArgumentException e) {
      attempt.check(e.getMessage().contains(" lies before from, "), e.getMessage());
      return;
    }
    throw new WrongAnswer("a range was deleted backward");
  }

  private static void with(Attempt attempt) {
    Place place = attempt.world.anyWritable(attempt.random);
    attempt.touch(place);
    WriteOptions options = WriteOptions.defaults();
    switch (attempt.random.nextInt(6)) {
      case 0 -> {
        options = options.disableWal(true);
        place.store.hasUnloggedWrites = true;
      }
      case 1 -> options = options.lowPriority(true);
      case 2 -> options = options.noSlowdown(true);
      case 3 -> options = options.ignoreMissingColumnFamilies(place.isDefaultFamily()); // dropped ones are readable
      case 4 -> options = options.sync(attempt.oneIn(4));
      default -> options = options.sync(false);
    }
    attempt.world.add(attempt.world.places, place.through(place.keySpace().with(options), true), attempt);
  }
}
