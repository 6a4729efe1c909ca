/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.RecoveryCalls;
import org.rocksdbffm.internal.lifetime.RecoveryWatch;
import org.rocksdbffm.internal.lifetime.RoomRecovery;

/**
 * Resumes the writes of a database after its disk was full, as soon as the disk has the free space that the system
 * property {@value #PROPERTY} states. Thread-safe.
 */
public final class WriteRecovery implements RoomRecovery.Subject {
  public static final String PROPERTY = "org.rocksdbffm.compat.resume";

  private static final String ROOM = System.getProperty(PROPERTY);

  private final RoomRecovery recovery;
  private final ReentrantLock resuming = new ReentrantLock();

  private volatile String name = "a database";
  private volatile List<Path> folders = List.of();
  private volatile long db; // 0: not open

  private WriteRecovery(long options) {
    long room = PropertySize.of(PROPERTY, ROOM, "1m", 1 << 20);
    RecoveryWatch watch = new RecoveryWatch(Memory.atAddress(options));
    try {
      recovery = RoomRecovery.start(this, watch, room, this::resumed);
    } catch (Throwable e) {
      watch.close();
      throw e;
    }
  }

  /** Starts a recovery for a database to be opened with these options, which are changed. */
  static WriteRecovery start(long options) {
    return new WriteRecovery(options);
  }

  /** Receives the opened database. */
  void opened(long pointer, Path folder, long options) {
    List<Path> all = new ArrayList<>(OptionPaths.ofDatabase(options));
    all.add(folder);
    String logs = OptionTexts.walFolder(options);
    all.add(logs.isEmpty() ? folder : Path.of(logs));
    folders = all;
    name = "database " + folder;
    db = pointer;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Path> folders() {
    return folders;
  }

  @Override
  public void resume() {
    resuming.lock();
    try (Arena arena = Arena.ofConfined()) {
      if (db == 0) {
        throw new IllegalStateException(name + " is closed");
      }
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RecoveryCalls.resume(wrapper(arena), error.address());
      Status.check(error, "resuming the writes of " + name);
    } finally {
      resuming.unlock();
    }
  }

  /** Returns the C API's struct around the database. */
  private long wrapper(Arena arena) {
    return arena.allocateFrom(ValueLayout.JAVA_LONG, db).address();
  }

  private void resumed(long nanos) {
    System.getLogger(Mode.LOGGER).log(Level.INFO, "the writes of " + name + " are resumed");
  }

  /** Ends the recovery of a database that is about to be closed. */
  public void end() {
    recovery.end();
    if (!resuming.tryLock()) {
      try (Arena arena = Arena.ofConfined()) {
        // a flush may wait for background work that is paused
        RocksDbC.rocksdb_cancel_all_background_work(Memory.atAddress(wrapper(arena)), (byte) 0);
      }
      resuming.lock();
    }
    db = 0;
    resuming.unlock();
  }
}
