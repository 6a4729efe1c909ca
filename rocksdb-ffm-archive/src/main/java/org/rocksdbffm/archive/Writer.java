/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** Appends entries to a chain. Used by one thread at a time. */
final class Writer {
  private final Chain chain;
  private final String id;
  private final LongSupplier clock;
  private final Others others;

  private long index; // the newest entry's number
  private long millis;
  private byte[] hash;
  private long size;
  private long line;
  private long base;
  private long prune;
  private long sequence;

  /**
   * Creates a writer that continues a chain.
   *
   * @param newest the newest entry; null if the chain is empty
   */
  Writer(Chain chain, String id, Entry newest, LongSupplier clock, Others others) {
    this.chain = chain;
    this.id = id;
    this.clock = clock;
    this.others = others;
    this.hash = Entry.NO_HASH;
    if (newest != null) {
      passed(newest, newest.bytes().length);
    }
  }

  private void passed(Entry entry, long sizeOfEntry) {
    Entry.Head head = entry.head();
    index = head.index();
    millis = head.millis();
    hash = entry.hash();
    size = sizeOfEntry;
    line = head.line();
    base = head.kind() == Entry.Kind.BASE ? head.index() : head.base();
    prune = head.kind() == Entry.Kind.PRUNE ? head.index() : head.prune();
    sequence = head.sequence();
  }

  /** Returns the index that the next entry will have, or a later one. */
  long nextIndex() {
    return index + 1;
  }

  /** Makes the body of an entry, again after each entry that another process has put first. */
  interface Body {
    /** Returns the compressed body; null if the entry is not wanted any more. */
    byte[] make();
  }

  /** Receives the entries that another process has put first. */
  interface Others {
    /** Throws if nothing may be appended after the entry. */
    void found(Entry entry) throws IOException;
  }

  /**
   * Appends an entry.
   *
   * @param newSequence the sequence number of the entry; negative for the previous one
   * @return the entry; null if it is not wanted any more
   */
  Entry append(Entry.Kind kind, long newSequence, Body maker) throws IOException {
    for (byte[] body = maker.make(); body != null; body = maker.make()) {
      Entry entry = Entry.of(nextHead(kind, newSequence), body);
      String name = Chain.name(entry.head().index());
      Bytes bytes = new Bytes(entry.bytes());
      boolean isNew =
          chain.attempts().run(() -> {
            requirePrevious();
            return chain.store().putIfAbsent(name, bytes);
          });
      Entry found = isNew ? entry : chain.require(entry.head().index());
      boolean isOwn = Arrays.equals(found.hash(), entry.hash()); // true if an attempt succeeded that seemed to fail
      if (!isOwn && !Arrays.equals(found.head().previous(), hash)) {
        throw new Damage(name, "it does not follow the entry before it");
      }
      if (!isOwn) {
        others.found(found);
      }
      passed(found, isOwn ? bytes.size() : found.bytes().length);
      if (isOwn) {
        return entry;
      }
    }
    return null;
  }

  /** Throws if the entry before the next one is missing: a store that was emptied would take the next one. */
  private void requirePrevious() throws IOException {
    if (index == 0) {
      return;
    }
    String name = Chain.name(index);
    try (InputStream end = chain.store().get(name, size - hash.length)) {
      if (end == null || !Arrays.equals(end.readAllBytes(), hash)) {
        throw new IOException(
            name + " is not in the store any more: mount the disk of the store, or, if the store was emptied, start the archiver"
                + " again");
      }
    }
  }

  private Entry.Head nextHead(Entry.Kind kind, long newSequence) {
    return new Entry.Head(
        kind,
        index + 1,
        id,
        kind == Entry.Kind.LINE ? index + 1 : line,
        base,
        prune,
        newSequence < 0 ? sequence : newSequence,
        Math.max(millis + 1, clock.getAsLong()),
        hash);
  }

  long sequence() {
    return sequence;
  }
}
