/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.files.ArchivedDatabase;
import org.rocksdbffm.internal.files.ArchivedDatabase.Hold;

/** Stores the files of one hold. Runs on a separate thread; the archiver's thread calls the other methods. */
final class Upload {
  static final String FILES = "files/";
  private static final Pattern NAME = Pattern.compile("files/[0-9a-f]{64}-(\\d{16})");

  /** The SHA-256 of an immutable file. */
  record Known(long size, byte[] hash) {}

  private final Hold hold;
  private final long sequence;
  private final long firstLog;
  private final ObjectStore store;
  private final Attempts attempts;
  private final Throttle throttle;
  private final Map<String, String> objects; // object names by hash; shared with later uploads
  private final Map<String, Known> hashes; // hashes of table and blob files, by name; shared with later uploads
  private final LongSupplier nextIndex;
  private final Thread thread;

  private volatile List<BaseFiles.Stored> stored; // set at the end
  private volatile Throwable failure;

  Upload(
      Hold hold,
      long sequence,
      long firstLog,
      ObjectStore store,
      Attempts attempts,
      Throttle throttle,
      Map<String, String> objects,
      Map<String, Known> hashes,
      LongSupplier nextIndex) {
    this.hold = hold;
    this.sequence = sequence;
    this.firstLog = firstLog;
    this.store = store;
    this.attempts = attempts;
    this.throttle = throttle;
    this.objects = objects;
    this.hashes = hashes;
    this.nextIndex = nextIndex;
    this.thread = Thread.ofPlatform().daemon().name("rocksdb-ffm archive of a base").start(this::run);
  }

  /**
   * Returns the index in an object's name, from which on an entry may name the object; the largest number for a name that
   * is not an archiver's.
   */
  static long number(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : Long.MAX_VALUE;
  }

  long sequence() {
    return sequence;
  }

  long firstLog() {
    return firstLog;
  }

  Hold hold() {
    return hold;
  }

  /** Returns the stored files; null until all are. */
  List<BaseFiles.Stored> stored() {
    return stored;
  }

  /** Returns the failure that ended the upload; null if there is none. */
  Throwable failure() {
    return failure;
  }

  /** Stops the upload and waits for its end. The hold stays open. */
  void stop() throws InterruptedException {
    while (thread.isAlive()) {
      thread.interrupt(); // again, in case that a store has lost an interrupt
      thread.join(100);
    }
  }

  private void run() {
    try {
      List<BaseFiles.Stored> all = new ArrayList<>();
      for (ArchivedDatabase.File file : hold.files()) {
        if (!file.isLog()) {
          all.add(store(file));
        }
      }
      hashes.keySet().retainAll(all.stream().map(BaseFiles.Stored::name).toList());
      stored = all;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }

  private BaseFiles.Stored store(ArchivedDatabase.File file) throws IOException {
    byte[] hash = hash(file);
    String hex = HexFormat.of().formatHex(hash);
    String known = objects.get(hex);
    if (known == null) {
      known = FILES + hex + "-" + String.format("%016d", nextIndex.getAsLong());
      String name = known;
      attempts.run(() -> store.putIfAbsent(name, new Held(file, throttle)));
      objects.put(hex, known);
    }
    return new BaseFiles.Stored(file.name(), file.size(), known, hash);
  }

  private byte[] hash(ArchivedDatabase.File file) throws IOException {
    Known known = file.isWhole() ? hashes.get(file.name()) : null;
    if (known != null && known.size == file.size()) {
      return known.hash;
    }
    MessageDigest digest = Hash.start();
    try (InputStream in = throttle.limit(file.open())) {
      byte[] buffer = new byte[1 << 16];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    byte[] hash = digest.digest();
    if (file.isWhole()) {
      hashes.put(file.name(), new Known(file.size(), hash));
    }
    return hash;
  }

  /** The bytes of a held file. */
  private record Held(ArchivedDatabase.File file, Throttle throttle) implements ObjectStore.Content {
    @Override
    public long size() {
      return file.size();
    }

    @Override
    public InputStream open() throws IOException {
      return throttle.limit(file.open());
    }
  }
}
