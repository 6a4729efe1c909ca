/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the entries of an archive by their indexes, which have no gap up to the newest. Used by one thread at a time. */
final class Chain {
  static final String LOG = "log/";
  private static final int PAGE = 1000;
  private static final int MOST_HEADS = 10_000;

  private final ObjectStore store;
  private final Attempts attempts;
  private final Map<Long, Entry.Head> heads = new HashMap<>(); // entries never change

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

  /** Returns the index of the newest entry, from an earlier one on; 0 if there is none. */
  long end(long known) throws IOException {
    long end = known;
    String after = known == 0 ? LOG : name(known);
    while (true) {
      String start = after;
      List<ObjectStore.Item> page = attempts.run(() -> store.list(LOG, start, PAGE));
      if (page.isEmpty()) {
        break;
      }
      after = page.getLast().name();
      for (ObjectStore.Item item : page) {
        end = Math.max(end, index(item.name()));
      }
    }
    while (end > known && head(end) == null) {
      end--; // the list had an object that was deleted
    }
    while (head(end + 1) != null) {
      end++;
    }
    return end;
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
