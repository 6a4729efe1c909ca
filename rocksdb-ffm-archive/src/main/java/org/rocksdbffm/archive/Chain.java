/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Reads the entries of an archive by their indexes, which have no gap up to the newest. Used by one thread at a time. */
final class Chain {
  static final String LOG = "log/";
  private static final int MOST_HEADS = 10_000;

  private final ObjectStore store;
  private final Attempts attempts;
  private final Map<Long, Entry.Head> heads = new HashMap<>(); // entries never change
  private long prunes; // the number of objects prune/... that were found; they are never deleted
  private long firstKept = 1;

  Chain(ObjectStore store, Attempts attempts) {
    this.store = store;
    this.attempts = attempts;
  }

  static String name(long index) {
    return String.format("%s%016d", LOG, index);
  }

  /** Returns the index in an object's name; -1 if it is not a name of an entry. */
  static long index(String name) {
    return name.matches("log/\\d{16}") ? Long.parseLong(name.substring(LOG.length())) : -1;
  }

  ObjectStore store() {
    return store;
  }

  Attempts attempts() {
    return attempts;
  }

  /**
   * Returns the index of the newest entry; 0 if there is none. Uses no list, which may be stale: entries have no gap from
   * the first kept one on.
   *
   * @param known the index of an entry, which may have been deleted since, or 0
   */
  long end(long known) throws IOException {
    long start = Math.max(known, firstKept());
    if (head(start) == null) {
      if (start == 1 && known == 0) {
        return 0;
      }
      throw new Damage(name(start), "it is missing");
    }
    return last(start, index -> head(index) != null);
  }

  /** Whether an object with a number exists. */
  private interface Existence {
    boolean test(long number) throws IOException;
  }

  /** Returns the last number of an existing object; {@code start} exists, and there are no gaps after it. */
  private static long last(long start, Existence exists) throws IOException {
    long low = start;
    long step = 1;
    while (exists.test(low + step)) {
      low += step;
      step *= 2;
    }
    while (step > 1) {
      step /= 2;
      low = exists.test(low + step) ? low + step : low;
    }
    return low;
  }

  private static String pruneName(long number) {
    return String.format("prune/%08d", number);
  }

  /** Returns the index from which on no entry was deleted. */
  long firstKept() throws IOException {
    long newest = hasPrune(prunes + 1) ? last(prunes + 1, this::hasPrune) : prunes;
    if (newest > prunes) {
      firstKept = attempts.run(() -> {
        try (InputStream in = store.get(pruneName(newest), 0)) {
          return in == null ? 1 : new DataInputStream(in).readLong();
        }
      });
      prunes = newest;
    }
    return firstKept;
  }

  private boolean hasPrune(long number) throws IOException {
    return attempts.run(() -> {
      try (InputStream in = store.get(pruneName(number), 0)) {
        return in != null;
      }
    });
  }

  /** Stores the index of the first kept entry, before earlier entries are deleted. */
  void startAt(long firstKept) throws IOException {
    if (firstKept == firstKept()) {
      return;
    }
    long number = prunes + 1;
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(firstKept).array();
    attempts.run(() -> store.putIfAbsent(pruneName(number), new Bytes(bytes)));
    if (firstKept() != firstKept) {
      throw new IOException("another process prunes the archive: prune it again later");
    }
  }

  /** Returns the head of an entry; null if it is missing. */
  Entry.Head head(long index) throws IOException {
    Entry.Head known = heads.get(index);
    if (known != null || index < 1) {
      return known;
    }
    Entry.Head head =
        attempts.run(() -> {
          try (InputStream in = store.get(name(index), 0)) {
            return in == null ? null : Entry.readHead(in, index);
          } catch (EOFException e) {
            throw new Damage(name(index), "it is cut off");
          }
        });
    if (head != null) {
      if (heads.size() >= MOST_HEADS) {
        heads.clear();
      }
      heads.put(index, head);
    }
    return head;
  }

  /** Returns a verified entry; null if it is missing. */
  Entry entry(long index) throws IOException {
    return attempts.run(() -> {
      try (InputStream in = store.get(name(index), 0)) {
        return in == null ? null : Entry.read(in, index);
      } catch (EOFException e) {
        throw new Damage(name(index), "it is cut off");
      }
    });
  }

  /** Returns a verified entry that must exist. */
  Entry require(long index) throws IOException {
    Entry entry = entry(index);
    if (entry == null) {
      throw new Damage(name(index), "it is missing");
    }
    return entry;
  }

  /** Returns a verified entry that must follow another one. */
  Entry following(Entry previous) throws IOException {
    Entry entry = require(previous.head().index() + 1);
    if (!Arrays.equals(entry.head().previous(), previous.hash())) {
      throw new Damage(name(entry.head().index()), "it does not follow the entry before it");
    }
    return entry;
  }
}
