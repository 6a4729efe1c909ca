/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * An info log callback gets the engine's messages in order, from the opening to the close, and never delays the engine.
 */
@ExtendWith(LiveObjectsCheck.class)
class InfoLogTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String LAST = "Shutdown complete";

  @TempDir Path folder;

  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

  private record Message(Level level, String text) {}

  private final InfoLog log = (level, text) -> messages.add(new Message(level, text));

  private Path db() {
    return folder.resolve("db");
  }

  private RocksDb open(DatabaseOptions options, InfoLog log) {
    return RocksDb.at(db()).options(options.infoLog(log)).open();
  }

  private Message next(Predicate<Message> wanted) throws InterruptedException {
    while (true) {
      Message message = messages.poll(LONG.toSeconds(), TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("no such message");
      }
      if (wanted.test(message)) {
        return message;
      }
    }
  }

  private Message next(String text) throws InterruptedException {
    return next(message -> message.text().contains(text));
  }

  private List<String> logFiles() throws IOException {
    try (Stream<Path> files = Files.list(db())) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("LOG")).toList();
    }
  }

  @Test
  void messagesComeFromTheOpeningToTheClose() throws Exception {
    try (RocksDb db = open(DatabaseOptions.defaults(), log)) {
      assertEquals(Level.INFO, next("RocksDB version").level());
      Message first =
          next(message ->
              message.text().contains("Options.create_if_missing: 1") || message.level().compareTo(Level.INFO) > 0);
      assertEquals(Level.INFO, first.level(), first::toString); // a new database logs no warnings
      db.put(KEY, KEY);
      db.flush();
      Message flushed = next("flush_finished");
      assertFalse(flushed.text().endsWith("\n"), flushed.text());
    }
    next(LAST);
    assertEquals(List.of(), logFiles());
  }

  @Test
  void theOptionSaysWhichAreMade() throws Exception {
    try (RocksDb db = open(DatabaseOptions.defaults().option("info_log_level", "WARN_LEVEL"), log)) {
      db.put(KEY, KEY);
      db.flush();
    }
    awaitNoTeller();
    assertFalse(messages.stream().anyMatch(message -> message.level().compareTo(Level.WARNING) < 0),
        messages::toString);
    open(DatabaseOptions.defaults().option("info_log_level", "HEADER_LEVEL"), log).close();
    next("RocksDB version");
    awaitNoTeller();
    assertFalse(messages.stream().anyMatch(message -> message.text().contains("recovery_finished")));
    try (RocksDb db = open(DatabaseOptions.defaults().option("info_log_level", "DEBUG_LEVEL"), log)) {
      next("recovery_finished");
      db.put(KEY, KEY);
      db.flush();
      next(message -> message.level() == Level.DEBUG);
    }
  }

  @Test
  void aFailureIsAnError() throws Exception {
    try (SstFileManager manager = SstFileManager.create();
        RocksDb db = open(DatabaseOptions.defaults().sstFileManager(manager), log)) {
      manager.spaceLimit(ByteSize.bytes(1));
      db.put(KEY, KEY);
      assertThrowsExactly(RocksDbException.class, db::flush);
      Message failure = next(message -> message.text().contains("Max allowed space was reached"));
      assertTrue(List.of(Level.ERROR, Level.WARNING).contains(failure.level()), failure::toString);
      manager.spaceLimit(ByteSize.bytes(0));
    }
  }

  @Test
  void withoutALogThereIsNoFile() throws IOException {
    try (RocksDb db = open(DatabaseOptions.defaults(), InfoLog.none())) {
      db.put(KEY, KEY);
      db.flush();
    }
    assertEquals(List.of(), logFiles());
    try (RocksDb db = RocksDb.at(db()).options(DatabaseOptions.defaults().infoLog(InfoLog.none())).openReadOnly()) {
      assertEquals("key", new String(db.get(KEY), UTF_8));
    }
    assertEquals(List.of(), logFiles());
    RocksDb.open(db()).close();
    assertEquals(List.of("LOG"), logFiles());
    assertEquals(List.of(), RocksDb.destroy(db()));
  }

  @Test
  void aLoggerGetsMessagesAtTheirLevel() throws InterruptedException {
    Logger logger = new Logger() {
      @Override
      public String getName() {
        return "mine";
      }

      @Override
      public boolean isLoggable(Level level) {
        return true;
      }

      @Override
      public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
        throw new AssertionError(text);
      }

      @Override
      public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        messages.add(new Message(level, format));
      }
    };
    assertEquals(InfoLog.to(logger), InfoLog.to(logger));
    assertEquals(DatabaseOptions.defaults().infoLog(InfoLog.to(logger)),
        DatabaseOptions.defaults().infoLog(InfoLog.to(logger)));
    assertEquals("infoLog=to mine;", DatabaseOptions.defaults().infoLog(InfoLog.to(logger)).toString());
    assertEquals("logger", assertThrowsExactly(NullPointerException.class, () -> InfoLog.to(null)).getMessage());
    open(DatabaseOptions.defaults(), InfoLog.to(logger)).close();
    assertEquals(Level.INFO, next("RocksDB version").level());
    assertEquals(Level.INFO, next(LAST).level());
  }

  @Test
  void theLogMayUseTheDatabaseAndCloseIt() throws InterruptedException {
    AtomicReference<RocksDb> opened = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    RocksDb db = open(DatabaseOptions.defaults(), (level, text) -> {
      messages.add(new Message(level, text));
      if (text.contains("flush_finished")) {
        try {
          ready.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        opened.get().put("seen".getBytes(UTF_8), opened.get().get(KEY));
        opened.get().close();
        closed.countDown();
      }
    });
    opened.set(db);
    db.put(KEY, KEY);
    db.flush();
    ready.countDown();
    assertTrue(closed.await(LONG.toSeconds(), TimeUnit.SECONDS));
    next(LAST);
    assertThrowsExactly(IllegalStateException.class, () -> db.get(KEY));
    try (RocksDb again = RocksDb.open(db())) {
      assertEquals("key", new String(again.get("seen".getBytes(UTF_8)), UTF_8));
    }
  }

  @Test
  void anExceptionOfTheLogStopsNothing() throws InterruptedException {
    AtomicInteger thrown = new AtomicInteger();
    try (RocksDb db = open(DatabaseOptions.defaults().option("info_log_level", "HEADER_LEVEL"), (level, text) -> {
      messages.add(new Message(level, text));
      if (thrown.incrementAndGet() == 2) {
        throw new StackOverflowError("mine");
      } else if (thrown.get() < 5) {
        throw new IllegalStateException("mine");
      }
      Thread.currentThread().interrupt();
    })) {
      db.put(KEY, KEY);
    }
    next("Options.row_cache");
    assertTrue(thrown.get() > 5, thrown + " messages");
  }

  /** A blocked callback delays neither the opening nor writes nor the close. */
  @Test
  void messagesThatAreTooManyAreDroppedAndCounted() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicLong dropped = new AtomicLong();
    AtomicLong logged = new AtomicLong();
    InfoLog slow = new InfoLog() {
      @Override
      public void log(Level level, String text) {
        if (logged.getAndIncrement() == 0) {
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
        messages.add(new Message(level, text));
      }

      @Override
      public void dropped(long count) {
        dropped.addAndGet(count);
        messages.add(new Message(Level.OFF, ""));
      }
    };
    try (RocksDb db = open(DatabaseOptions.defaults(), slow)) {
      for (int i = 0; i < 400; i++) {
        db.setOptions(Map.of("write_buffer_size", String.valueOf((1 << 20) + i))); // each logs all settings
      }
    }
    goOn.countDown();
    next(message -> message.level() == Level.OFF);
    assertTrue(dropped.get() > 0 && logged.get() > 1000, dropped + " of " + logged);
  }

  @Test
  void byDefaultDroppedMessagesAreToldAsOne() {
    log.dropped(7);
    assertEquals(
        new Message(Level.WARNING, "7 messages of the engine were dropped here, because too many waited"),
        messages.remove());
  }

  @Test
  void theThreadEndsWithTheDatabase() throws InterruptedException {
    try (RocksDb db = open(DatabaseOptions.defaults(), log)) {
      db.createFamily("other", FamilyOptions.defaults());
      assertEquals(1, tellers());
      assertThrowsExactly(RocksDbException.class, () -> open(DatabaseOptions.defaults(), log));
    }
    awaitNoTeller();
    assertThrowsExactly(RocksDbException.class,
        () -> RocksDb.at(folder.resolve("none")).options(DatabaseOptions.defaults().infoLog(log)).mustExist().open());
    awaitNoTeller();
    try (RocksDb db = RocksDb.at(db()).options(DatabaseOptions.defaults().infoLog(log))
        .family("other", FamilyOptions.defaults()).open()) {
      assertEquals(1, tellers(), db::toString);
    }
    awaitNoTeller();
  }

  /** The release of the last pin closes the database; the messages of this close arrive, too. */
  @Test
  void aPinnedValueKeepsTheLog() throws InterruptedException {
    PinnedValue pinned;
    try (RocksDb db = open(DatabaseOptions.defaults(), log)) {
      db.put(KEY, new byte[10_000]);
      db.flush();
      pinned = db.getPinned(KEY);
    }
    assertEquals(1, tellers());
    pinned.close();
    next(LAST);
    awaitNoTeller();
  }

  private static void awaitNoTeller() throws InterruptedException {
    for (int i = 0; i < 1000 && tellers() > 0; i++) {
      Thread.sleep(10);
    }
    assertEquals(0, tellers());
  }

  private static long tellers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("messages of a database")).count();
  }

  @Test
  void databasesOfEveryKindTell() throws InterruptedException {
    DatabaseOptions logging = DatabaseOptions.defaults().infoLog(log);
    try (TransactionDb db = RocksDb.at(folder.resolve("locks")).options(logging).openTransactional()) {
      db.put(KEY, KEY);
    }
    next(LAST);
    RocksDb.at(folder.resolve("optimistic")).options(logging).openOptimistic().close();
    next(LAST);
    RocksDb.at(folder.resolve("locks")).options(DatabaseOptions.defaults().infoLog(log)).openReadOnly().close();
    next(LAST);
    RocksDb.at(folder.resolve("ordered")).options(logging)
        .defaults(FamilyOptions.defaults().keyOrder("backward", (a, b) -> b.compareTo(a))).open().close();
    next(LAST);
  }

  @Test
  void optionsOfTheFileAreRefusedBesideALog() {
    for (String option
        : List.of("db_log_dir=/tmp", "max_log_file_size=8192", "log_file_time_to_roll=60", "keep_log_file_num=5")) {
      IllegalArgumentException refused =
          assertThrowsExactly(IllegalArgumentException.class,
              () -> open(DatabaseOptions.defaults().options(option), log));
      assertEquals(
          "option " + option.replaceAll("=.*", "") + ": beside DatabaseOptions.infoLog it has no effect; leave one out",
          refused.getMessage());
    }
    open(DatabaseOptions.defaults().options("keep_log_file_num=1000;max_log_file_size=0"), log).close();
    DatabaseOptions stored = StoredOptions.load(db()).database();
    open(stored, log).close();
    assertNotEquals(stored, stored.infoLog(log));
  }

  @Test
  void theProcessMayEndInALog() throws IOException {
    ChildJvm.Finished finished = ChildJvm.of(Exit.class).run(db().toString()).assertExit(7);
    assertTrue(finished.output().contains("closed"), finished.output());
    try (RocksDb db = RocksDb.open(db())) {
      assertEquals("key", new String(db.get(KEY), UTF_8));
    }
  }

  /** Ends the process while the database is open and messages are delivered. */
  static final class Exit {
    private Exit() {}

    public static void main(String[] arguments) throws InterruptedException {
      InfoLog exits = (level, text) -> {
        if (text.contains("flush_finished")) {
          System.exit(7);
        }
      };
      RocksDb db = RocksDb.at(Path.of(arguments[0])).options(DatabaseOptions.defaults().infoLog(exits)).open();
      // a database that is never closed
      RocksDb.at(Path.of(arguments[0] + "-open")).options(DatabaseOptions.defaults().infoLog((level, text) -> {}))
          .open();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        db.close();
        System.out.println("closed");
      }));
      db.put(KEY, KEY);
      db.flush();
      Thread.sleep(Long.MAX_VALUE);
    }
  }
}
