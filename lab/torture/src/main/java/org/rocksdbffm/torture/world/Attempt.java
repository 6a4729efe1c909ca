/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.rocksdbffm.RocksDbException;

/** A step of a client: the objects that it uses, and the exceptions that are allowed because of them. */
public final class Attempt implements AutoCloseable {
  private static final String CLOSED = "(?s).* is (closed|released).*";
  private static final String TAKEN =
      "(?s).* is in use .*|.* is not at a row.*|.* holds views .*|.* was moved by another thread.*";

  private static final String PAUSED =
      "(?s)the background work of .* is paused, and this would wait .*|the manual compactions of .* are paused: .*"
          + "|Result incomplete: Manual compaction paused.*";

  public final World world;
  public final Client client;
  public final Random random;
  public final Arena arena = Arena.ofConfined();

  private record Allowed(Class<? extends Throwable> type, String message) {}

  private final List<Held<?>> used = new ArrayList<>();
  private final List<Allowed> allowed = new ArrayList<>();
  private boolean closedBefore;

  Attempt(World world, Client client, long seed) {
    this.world = world;
    this.client = client;
    this.random = new Random(seed);
  }

  /** Uses an object: if it was already closed, the step must fail. */
  public <T> T use(Held<T> held) {
    closedBefore |= held.isClosed();
    return touch(held);
  }

  /** Uses an object for a call that may succeed after it was closed. */
  public <T> T touch(Held<T> held) {
    used.add(held);
    return held.object;
  }

  /** Uses a shared object that supports one thread at a time. */
  public <T> T share(Held<T> held) {
    allow(IllegalStateException.class, TAKEN);
    allow(WrongThreadException.class, "(?s).*");
    return touch(held);
  }

  public void allow(Class<? extends Throwable> type, String message) {
    allowed.add(new Allowed(type, message));
  }

  public void allow(RocksDbException.Code code) {
    allow(RocksDbException.class, "(?s)" + code.prefix() + ".*");
  }

  boolean usedWhatWasClosed() {
    return closedBefore;
  }

  /** Whether the library documents the exception for this step. */
  boolean isInOrder(Throwable e) {
    if (e.getClass() == IllegalStateException.class && e.getMessage().matches(CLOSED)) {
      return used.stream().anyMatch(Held::mayBeClosed);
    }
    if (world.pausesBegun.get() > 0 && String.valueOf(e.getMessage()).matches(PAUSED)) {
      return true;
    }
    return allowed.stream()
        .anyMatch(each -> e.getClass() == each.type && String.valueOf(e.getMessage()).matches(each.message));
  }

  public boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  public <E> E oneOf(List<E> elements) {
    return elements.get(random.nextInt(elements.size()));
  }

  public void check(boolean right, String what) {
    world.tally.checked();
    if (!right) {
      throw new WrongAnswer(what);
    }
  }

  public void check(byte[] expected, byte[] actual, String what) {
    check(Arrays.equals(expected, actual), what + ": " + describe(actual) + " instead of " + describe(expected));
  }

  public void check(byte[] expected, MemorySegment actual, String what) {
    check(
        expected == null ? actual == null : actual != null && MemorySegment.ofArray(expected).mismatch(actual) == -1,
        what + " in a segment instead of " + describe(expected));
  }

  private static String describe(byte[] value) {
    return value == null ? "nothing" : value.length + " bytes with hash " + Arrays.hashCode(value);
  }

  @Override
  public void close() {
    arena.close();
  }
}
