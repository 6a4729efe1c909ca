/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;

/** Reads single keys with all methods. */
public final class ReadOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("get", 400, ReadOperations::get),
          new Operation("getInto", 300, ReadOperations::getInto),
          new Operation("getIntoOrPinned", 200, ReadOperations::getIntoOrPinned),
          new Operation("getInArena", 200, ReadOperations::getInArena),
          new Operation("getAndLook", 200, ReadOperations::getAndLook),
          new Operation("mayExist", 60, ReadOperations::mayExist),
          new Operation("contains", 60, ReadOperations::contains),
          new Operation("withReadOptions", 50, ReadOperations::with));

  private ReadOperations() {}

  /** A key to read, and its expected value. */
  record Question(Place place, byte[] key, byte[] expected) {
    static Question ask(Attempt attempt) {
      Place place = attempt.world.anyPlace(attempt.random);
      attempt.use(place);
      if (!place.exact) {
        attempt.allow(Code.INCOMPLETE);
        attempt.allow(Code.TIMED_OUT);
        attempt.allow(Code.NOT_SUPPORTED);
        attempt.allow(Code.INVALID_ARGUMENT);
      }
      byte[] key = ClientBytes.key(place.clientSeenBy(attempt.client.number), attempt.random.nextInt(ClientBytes.KEYS));
      return new Question(place, key, place.rowsSeenBy(attempt.client.number).get(key));
    }

    KeyReader reader() {
      return place.object;
    }

    void check(byte[] actual, Attempt attempt) {
      if (place.exact) {
        attempt.check(expected, actual, "key " + Arrays.toString(Arrays.copyOf(key, 4)));
      }
    }

    void check(MemorySegment actual, Attempt attempt) {
      if (place.exact) {
        attempt.check(expected, actual, "key " + Arrays.toString(Arrays.copyOf(key, 4)));
      }
    }
  }

  private static void get(Attempt attempt) {
    Question question = Question.ask(attempt);
    question.check(
        switch (attempt.random.nextInt(3)) {
          case 0 -> question.reader().get(question.key);
          case 1 -> question.reader().get(ClientBytes.segment(question.key, attempt));
          default -> question.reader().get(ClientBytes.buffer(question.key, attempt));
        },
        attempt);
  }

  private static void getInto(Attempt attempt) {
    Question question = Question.ask(attempt);
    int room = attempt.random.nextInt(8000);
    long size;
    MemorySegment filled;
    switch (attempt.random.nextInt(3)) {
      case 0 -> {
        byte[] target = new byte[room];
        size = question.reader().getInto(question.key, target);
        filled = MemorySegment.ofArray(target);
      }
      case 1 -> {
        MemorySegment target = ClientBytes.target(room, attempt);
        size = question.reader().getInto(ClientBytes.segment(question.key, attempt), target);
        filled = target;
      }
      default -> {
        MemorySegment target = attempt.arena.allocate(room);
        size = question.reader().getInto(ClientBytes.buffer(question.key, attempt), target);
        filled = target;
      }
    }
    if (size == KeyReader.ABSENT) {
      question.check((byte[]) null, attempt);
    } else if (size <= room) {
      question.check(filled.asSlice(0, size), attempt);
    } else if (question.place.exact) {
      attempt.check(question.expected != null && question.expected.length == size, "the size of what did not fit");
      attempt.check(filled.mismatch(MemorySegment.ofArray(new byte[room])) == -1, "a part of what did not fit");
    }
  }

  /**
   * The callback that receives the pinned value reads a key or closes the database. The pinned value is released by a
   * later step.
   */
  private static void getIntoOrPinned(Attempt attempt) {
    Question question = Question.ask(attempt);
    MemorySegment target = ClientBytes.target(attempt.random.nextInt(8000), attempt);
    int mischief = attempt.random.nextInt(40);
    PinnedValue[] pinned = new PinnedValue[1];
    long size;
    try {
      size =
          question.reader().getInto(ClientBytes.segment(question.key, attempt), target, value -> {
            pinned[0] = value;
            if (mischief == 0) {
              question.place.database.close(attempt.world.tally);
            } else if (mischief < 4) {
              question.reader().get(question.key);
            }
          });
    } catch (RuntimeException e) {
      if (pinned[0] != null) {
        pinned[0].close();
      }
      throw e;
    }
    if (size <= target.byteSize()) {
      attempt.check(pinned[0] == null, "pinned what fits");
      question.check(size == KeyReader.ABSENT ? null : target.asSlice(0, size), attempt);
      return;
    }
    try (PinnedValue value = pinned[0]) {
      attempt.check(value.size() == size, "the size of what did not fit");
      question.check(value.segment(), attempt);
      attempt.check(target.mismatch(MemorySegment.ofArray(new byte[(int) target.byteSize()])) == -1, "a part of it");
    }
  }

  private static void getInArena(Attempt attempt) {
    Question question = Question.ask(attempt);
    Arena arena = attempt.oneIn(20) ? Arena.ofAuto() : attempt.arena;
    if (attempt.oneIn(50)) {
      arena = Arena.ofConfined();
      arena.close();
      if (question.expected != null || !question.place.exact) {
        attempt.allow(IllegalStateException.class, "Already closed");
      }
    }
    question.check(
        switch (attempt.random.nextInt(3)) {
          case 0 -> question.reader().get(question.key, arena);
          case 1 -> question.reader().get(ClientBytes.segment(question.key, attempt), arena);
          default -> question.reader().get(ClientBytes.buffer(question.key, attempt), arena);
        },
        attempt);
  }

  /** The callback reads a key, closes the database, or stores the value's segment for later reads by other clients. */
  private static void getAndLook(Attempt attempt) {
    Question question = Question.ask(attempt);
    int mischief = attempt.random.nextInt(40);
    boolean[] looked = new boolean[1];
    java.util.function.Function<MemorySegment, String> look =
        value -> {
          looked[0] = true;
          if (mischief == 0) {
            question.place.database.close(attempt.world.tally);
          } else if (mischief < 4) {
            question.reader().get(question.key);
          } else if (mischief < 6) {
            attempt.world.add(attempt.world.segments, new Held<>(value), attempt);
          }
          question.check(value, attempt);
          return "seen";
        };
    String answer =
        switch (attempt.random.nextInt(3)) {
          case 0 -> question.reader().get(question.key, look);
          case 1 -> question.reader().get(ClientBytes.segment(question.key, attempt), look);
          default -> question.reader().get(ClientBytes.buffer(question.key, attempt), look);
        };
    attempt.check(looked[0] == (answer != null), "the answer of a look");
    if (question.place.exact) {
      attempt.check(looked[0] == (question.expected != null), "whether there was a look");
    }
  }

  private static void mayExist(Attempt attempt) {
    Question question = Question.ask(attempt);
    boolean may =
        switch (attempt.random.nextInt(3)) {
          case 0 -> question.reader().mayExist(question.key);
          case 1 -> question.reader().mayExist(ClientBytes.segment(question.key, attempt));
          default -> question.reader().mayExist(ClientBytes.buffer(question.key, attempt));
        };
    if (question.place.exact) {
      attempt.check(may || question.expected == null, "mayExist denied what exists");
    }
  }

  private static void contains(Attempt attempt) {
    Question question = Question.ask(attempt);
    boolean there =
        switch (attempt.random.nextInt(3)) {
          case 0 -> question.reader().contains(question.key);
          case 1 -> question.reader().contains(ClientBytes.segment(question.key, attempt));
          default -> question.reader().contains(ClientBytes.buffer(question.key, attempt));
        };
    if (question.place.exact) {
      attempt.check(there == (question.expected != null), "whether there is a value");
    }
  }

  private static void with(Attempt attempt) {
    Place place = attempt.world.anyPlace(attempt.random);
    attempt.touch(place);
    ReadOptions options = ReadOptions.defaults();
    boolean exact = true;
    switch (attempt.random.nextInt(10)) {
      case 0 -> options = options.ioTimeout(Duration.ofMinutes(10));
      case 1 -> options = options.fillCache(false);
      case 2 -> options = options.readahead(ByteSize.kib(64));
      case 3 -> options = options.autoReadahead(false);
      case 4 -> options = options.pinData(true);
      case 5 -> options = options.asyncIo(true);
      case 6 -> options = options.adaptiveReadahead(true);
      case 7 -> {
        options = options.tier(attempt.oneOf(List.of(ReadOptions.Tier.values())));
        exact = false;
      }
      case 8 -> {
        options = options.ignoreRangeDeletions(true);
        exact = false;
      }
      default -> {
        options = options.ioTimeout(Duration.ofSeconds(100));
        exact = false;
      }
    }
    attempt.world.add(attempt.world.places, place.through(place.object.with(options), exact), attempt);
  }
}
