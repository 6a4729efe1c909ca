/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.HashSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.scan.RangeSplit;

/**
 * The rows of a stream, from one scan or, in a parallel stream, from one scan for each part of the range, all at one
 * snapshot. A part is opened by the thread that reads it.
 */
final class StreamedRows<T> implements Spliterator<T> {
  private final Parts<T> parts;
  private KeyRange range;
  private long estimate;

  // Keys between which the part's rows lie; null before the first split.
  private byte[] first;
  private byte[] last;

  private Scan scan; // null until a part is read
  private boolean isStarted;
  private boolean isEnded;

  private StreamedRows(Parts<T> parts, KeyRange range, long estimate, byte[] first, byte[] last) {
    this.parts = parts;
    this.range = range;
    this.estimate = estimate;
    this.first = first;
    this.last = last;
  }

  /** Returns the rows of a scan, which may be read by several scans if {@code range} is not null. */
  static <T> Stream<T> of(Scan scan, KeyRange range, boolean backward, Function<? super Row, ? extends T> mapper) {
    Parts<T> parts = new Parts<>(scan, backward, mapper);
    StreamedRows<T> rows = new StreamedRows<>(parts, range, Long.MAX_VALUE, null, null);
    rows.scan = scan;
    return StreamSupport.stream(rows, false).onClose(parts::close);
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    isStarted = true;
    if (scan == null && !isEnded) {
      scan = parts.open(range);
    }
    if (isEnded || scan.isEnded() || !scan.next()) {
      end();
      return false;
    }
    action.accept(parts.mapper.apply(scan));
    return true;
  }

  private void end() {
    if (!isEnded) {
      isEnded = true;
      parts.end(scan);
      scan = null;
    }
  }

  @Override
  public Spliterator<T> trySplit() {
    if (range == null || isStarted || estimate <= 1 || scan != null && !scan.isFresh()) {
      return null;
    }
    if (first == null && !findEnds()) {
      range = null;
      return null;
    }
    byte[] middle = parts.split.middle(first, last);
    if (middle == null) {
      estimate = 1;
      return null;
    }
    if (scan != null) {
      scan.close(); // the parts read a later snapshot
      scan = null;
    }
    return split(middle);
  }

  private StreamedRows<T> split(byte[] middle) {
    parts.add();
    estimate /= 2;
    KeyRange lower = range.before(middle);
    KeyRange upper = range.since(middle);
    StreamedRows<T> prefix;
    if (parts.backward) {
      prefix = new StreamedRows<>(parts, upper, estimate, middle, last);
      range = lower;
      last = middle;
    } else {
      prefix = new StreamedRows<>(parts, lower, estimate, first, middle);
      range = upper;
      first = middle;
    }
    return prefix;
  }

  /** Reads the first and the last key at the snapshot of the parts; returns false if there are none. */
  private boolean findEnds() {
    try (Cursor cursor = parts.snapshot().cursor(range)) {
      if (!cursor.first()) {
        return false;
      }
      byte[] lowest = cursor.keyBytes();
      cursor.last();
      last = cursor.keyBytes();
      first = lowest;
      return true;
    }
  }

  /** In units that only compare parts: the number of rows is unknown. */
  @Override
  public long estimateSize() {
    return estimate;
  }

  @Override
  public int characteristics() {
    return ORDERED;
  }

  /** The parts of one stream. */
  private static final class Parts<T> {
    final boolean backward;
    final Function<? super Row, ? extends T> mapper;
    private final KeyReader reader;
    private final Set<Scan> open = new HashSet<>();
    private int count = 1;
    private boolean isClosed;
    private Snapshot taken;

    // Set by the first split, before there is a second part.
    RangeSplit split;

    Parts(Scan scan, boolean backward, Function<? super Row, ? extends T> mapper) {
      this.reader = scan.reader;
      this.backward = backward;
      this.mapper = mapper;
      open.add(scan);
    }

    synchronized KeyReader snapshot() {
      if (split == null) {
        split = new RangeSplit(reader.source.family());
        taken = reader.snapshot == null ? new Snapshot(reader, NativeSnapshot.take(reader.source.database())) : null;
      }
      return taken == null ? reader : taken;
    }

    synchronized void add() {
      count++;
    }

    Scan open(KeyRange range) {
      Scan scan = backward ? snapshot().scanBackward(range) : snapshot().scan(range);
      synchronized (this) {
        open.add(scan);
        if (isClosed) {
          scan.close();
        }
      }
      return scan;
    }

    void end(Scan scan) {
      boolean isLast;
      synchronized (this) {
        open.remove(scan);
        isLast = --count == 0;
      }
      scan.close();
      if (isLast) {
        close();
      }
    }

    /** Closes the scans, and the snapshot after them; scans that are opened concurrently are closed or refused. */
    void close() {
      Set<Scan> scans;
      Snapshot last;
      synchronized (this) {
        isClosed = true;
        scans = Set.copyOf(open);
        open.clear();
        last = taken;
      }
      scans.forEach(Scan::close);
      if (last != null) {
        last.close();
      }
    }
  }
}
