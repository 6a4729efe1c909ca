/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.PinLimitException;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.Pins;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.LiveObjectsCheck;

@ExtendWith(LiveObjectsCheck.class)
class PinLimitsTest {
  private static final byte[] KEY = bytes("key");
  private static final int SIZE = 10_000;
  private static final Logger LOGGER = Logger.getLogger("org.rocksdbffm");

  private final BlockingQueue<LogRecord> said = new LinkedBlockingQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord message) {
          said.add(message);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @TempDir Path folder;
  private RocksDb db;

  @BeforeEach
  void open() {
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
    db = RocksDb.open(folder);
    db.put(KEY, new byte[SIZE]);
  }

  @AfterEach
  void close() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
    assertEquals(0, db.pins().count());
    assertEquals(0, db.pins().size().bytes());
    db.close();
  }

  private LogRecord next() throws InterruptedException {
    LogRecord message = said.poll(60, TimeUnit.SECONDS);
    assertNotNull(message);
    return message;
  }

  private static boolean pointsHere(Throwable site) {
    return Arrays.stream(site.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(PinLimitsTest.class.getName()));
  }

  @Test
  void theBytesOfEveryKindOfPinAreCounted() {
    try (PinnedValue value = db.getPinned(KEY);
        PinnedValue part = value.slice(0, 10)) {
      assertEquals(SIZE, db.pins().size().bytes());
      assertEquals(10, part.size());
    }
    try (PinnedValues values = db.multiGet().add(KEY).add(bytes("none")).add(KEY).get()) {
      assertEquals(2 * SIZE, db.pins().size().bytes());
      assertEquals(1, db.pins().count());
      assertTrue(values.isPresent(0));
    }
    try (Arena arena = Arena.ofConfined()) {
      db.get(KEY, arena);
      assertEquals(SIZE, db.pins().size().bytes());
    }
    assertEquals((Long) (long) SIZE, db.get(KEY, value -> db.pins().size().bytes()));
  }

  @Test
  void moreThanTheLimitIsRefusedAndLeavesNothing() {
    db.pins().limit(Pins.Limits.none().maxBytes(ByteSize.bytes(2 * SIZE)));
    PinnedValue first = db.getPinned(KEY);
    PinnedValue second = db.getPinned(KEY);
    String message = assertThrows(PinLimitException.class, () -> db.getPinned(KEY)).getMessage();
    assertEquals(
        db + ": " + 2 * SIZE + " bytes are pinned in 2 reads, and " + SIZE + " more would exceed the limit of "
        + 2 * SIZE
            + ": close values sooner, copy what is kept (get, getInto), or raise the limit (pins().limit)",
        message);
    assertThrows(PinLimitException.class, () -> db.multiGet().add(KEY).get());
    assertThrows(PinLimitException.class, () -> db.get(KEY, value -> value));
    MemorySegment key = MemorySegment.ofArray(KEY);
    MemorySegment room = MemorySegment.ofArray(new byte[SIZE]);
    assertThrows(PinLimitException.class, () -> db.getInto(key, room.asSlice(1), value -> {}));
    assertEquals(SIZE, db.getInto(key, room, value -> {}));
    assertThrows(PinLimitException.class, () -> db.get(KEY, Arena.ofAuto()));
    assertEquals(2, db.pins().count());
    assertEquals(SIZE, db.get(KEY).length);
    first.close();
    db.getPinned(KEY).close();
    db.pins().limit(Pins.Limits.none());
    db.getPinned(KEY).close();
    second.close();
  }

  @Test
  void manyBytesAreWarnedOfOnceUntilThereAreFewer() throws InterruptedException {
    db.pins().limit(Pins.Limits.none().warnBytes(ByteSize.bytes(SIZE)));
    for (int round = 0; round < 2; round++) {
      PinnedValue first = db.getPinned(KEY);
      assertTrue(said.isEmpty());
      PinnedValue second = db.getPinned(KEY);
      PinnedValue third = db.getPinned(KEY);
      LogRecord warning = next();
      assertEquals(db + ": " + 2 * SIZE + " bytes are pinned, which is more than " + SIZE, warning.getMessage());
      assertTrue(pointsHere(warning.getThrown()));
      first.close();
      second.close();
      third.close();
      assertTrue(said.isEmpty());
    }
  }

  @Test
  void anOldPinIsWarnedOfOnceWithThePlaceItWasMadeAt() throws InterruptedException {
    db.pins().limit(Pins.Limits.none().warnAge(Duration.ofMillis(20)));
    assertEquals(Optional.empty(), db.pins().oldest());
    PinnedValue value = db.getPinned(KEY);
    PinnedValues values = db.multiGet().add(KEY).get();
    LogRecord first = next();
    LogRecord second = next();
    assertTrue(
        first.getMessage().matches(".* has been pinned for PT0\\.\\d+S: it keeps memory of the engine's"),
        first::getMessage);
    assertTrue(pointsHere(first.getThrown()) && pointsHere(second.getThrown()));
    assertTrue(db.pins().oldest().orElseThrow().compareTo(Duration.ofMillis(20)) > 0);
    value.close();
    values.close();
    assertEquals(Optional.empty(), db.pins().oldest());
    PinnedValue later = db.getPinned(KEY);
    assertTrue(next().getMessage().startsWith("pinned value of "));
    later.close();
    assertTrue(said.isEmpty());
  }

  @Test
  void anAgeIsMoreThanZero() {
    assertThrows(IllegalArgumentException.class, () -> Pins.Limits.none().warnAge(Duration.ZERO));
    Pins.Limits limits =
        Pins.Limits.none().maxBytes(ByteSize.kib(1)).warnBytes(ByteSize.kib(2)).warnAge(Duration.ofDays(1));
    assertEquals(Optional.of(ByteSize.kib(1)), limits.maxBytes());
    assertEquals(Optional.of(ByteSize.kib(2)), limits.warnBytes());
    assertEquals(Optional.of(Duration.ofDays(1)), limits.warnAge());
    db.pins().limit(Pins.Limits.none().warnAge(Duration.ofSeconds(Long.MAX_VALUE)));
    db.getPinned(KEY).close();
  }
}
