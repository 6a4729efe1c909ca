/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.rocksdbffm.internal.scan.BlockIterator;
import org.rocksdbffm.internal.scan.MergeQueue;
import org.rocksdbffm.internal.scan.RangeEnds;
import org.rocksdbffm.internal.scan.ReadAhead;

/**
 * Reads the rows of a range one after another, many of them in one engine call: small rows are copied to the scan's
 * memory, large ones are read in the engine's memory.
 *
 * <pre>{@code
 * try (Scan rows = db.scan(KeyRange.prefix(prefix))) {
 *   for (Row row : rows) {
 *     use(row.key(), row.value());
 *   }
 * }
 * }</pre>
 *
 * <p>{@link #next} moves explicitly. A loop over all rows closes the scan at its end, and {@link #forEach} closes it in
 * any case; use try-with-resources if a loop may end earlier, by {@code break} or an exception. A row is the scan
 * itself, and is <em>borrowed until</em> the next iteration: copy what you keep.
 *
 * <p>Used by one thread at a time, which may change between rows; see {@link #releaseRow}. Reads the state of the
 * database at opening. Closed with its database at the latest.
 */
public final class Scan extends BlockRows implements Iterable<Row> {
  private static final int FEWEST_ROWS = 3;
  private static final int MOST_ROWS = 32;

  /** The number of rows that one engine call reads for a scan that reads to the end. */
  private static final int MANY_ROWS = 256;

  /** Rows up to this size are copied to the block, so that many are written with one system call. */
  private static final int LARGEST_ROW_WRITTEN_WITH_OTHERS = 2048;

  private final KeyRange range;
  private final boolean backward;
  private final byte[] start; // null for the start of the range
  private boolean started;
  private boolean ended;
  private boolean iterated;
  private ReadAhead ahead = new ReadAhead(FEWEST_ROWS, MOST_ROWS);

  Scan(KeyReader reader, KeyRange range, boolean backward) {
    this(reader, range, range.ends(reader.source.family().rules()), backward);
  }

  private Scan(KeyReader reader, KeyRange range, RangeEnds ends, boolean backward) {
    super(
        reader,
        BlockIterator.inBlocks(reader.source, reader.readOptions.settings, reader.point(), ends, backward));
    this.range = range;
    this.backward = backward;
    this.start = backward ? null : ends.lower(); // forward, the engine has no lower bound
  }

  /**
   * Scans a range of several column families as one stream, in the order of the keys; equal keys come in the order of the
   * readers. Each reader is scanned as of this call: pass readers of one {@link Snapshot} ({@link Snapshot#of}) to see all
   * families at one point in time. Use try-with-resources for a stream that may end before its last row.
   *
   * @param <T> the type of the stream's elements
   * @param readers of column families with the same key order, also of several databases
   * @param range the range to scan
   * @param mapper receives the reader of a row, and the row, which is <em>borrowed until</em> it returns
   * @return a sequential, ordered stream
   * @throws IllegalArgumentException if the key orders differ
   */
  public static <T> Stream<T> merged(
      List<? extends KeyReader> readers,
      KeyRange range,
      BiFunction<? super KeyReader, ? super Row, ? extends T> mapper) {
    requireNonNull(range, "range");
    requireNonNull(mapper, "mapper");
    List<Scan> scans = new ArrayList<>();
    Runnable end = () -> scans.forEach(Scan::close);
    try {
      for (KeyReader reader : requireNonNull(readers, "readers")) {
        scans.add(requireNonNull(reader, "readers: a reader is null").scan(range));
        scans.getFirst().requireSameOrder(scans.getLast());
      }
    } catch (Throwable e) {
      end.run();
      throw e;
    }
    MergeQueue<Scan> queue = new MergeQueue<>(scans, Scan::compareKeys, Scan::next);
    Spliterator<T> rows =
        new AbstractSpliterator<>(Long.MAX_VALUE, Spliterator.ORDERED) {
          @Override
          public boolean tryAdvance(Consumer<? super T> action) {
            Scan next = queue.next();
            if (next == null) {
              end.run();
              return false;
            }
            action.accept(mapper.apply(next.reader, next));
            return true;
          }

          @Override
          public Spliterator<T> trySplit() {
            return null; // the rows come from one queue
          }
        };
    return StreamSupport.stream(rows, false).onClose(end);
  }

  private void requireSameOrder(Scan other) {
    if (!reader.source.family().rules().isOrderedAs(other.reader.source.family().rules())) {
      throw new IllegalArgumentException(
          "readers: " + other.reader + " has another key order than " + reader + "; merge families with one order");
    }
  }

  private int compareKeys(Scan other) {
    MemorySegment key = key();
    MemorySegment others = other.key();
    return reader.source.family().rules().compare(key, key.byteSize(), others, others.byteSize());
  }

  /**
   * Moves to the next row in the scan's direction.
   *
   * @return whether there is one; once false, always false
   * @throws RocksDbException if the engine fails
   * @throws IllegalStateException if the scan is closed, or in use by another thread
   */
  public boolean next() {
    if (rows.stepInBlock()) {
      return true;
    }
    return !ended && nextBlock();
  }

  /**
   * Returns the iterator of the remaining rows, each of which is this scan. There is only one, because it moves the
   * scan; it closes the scan after the last row.
   *
   * @return the iterator; its {@code hasNext} moves the scan, which ends views of the previous row
   */
  @Override
  public Iterator<Row> iterator() {
    if (iterated) {
      throw new IllegalStateException("the rows of this scan are gone through already: open another scan");
    }
    rows.requireOpen();
    iterated = true;
    return new Rest();
  }

  /** The remaining rows. */
  private final class Rest implements Iterator<Row> {
    private boolean isAtNext; // whether the scan is at the next row, which was not returned yet

    @Override
    public boolean hasNext() {
      if (!isAtNext && !ended) {
        isAtNext = Scan.this.next();
        if (!isAtNext) {
          close();
        }
      }
      return isAtNext;
    }

    @Override
    public Row next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the scan has no more rows");
      }
      isAtNext = false;
      return Scan.this;
    }
  }

  /**
   * Runs an action for each remaining row, and closes the scan in any case.
   *
   * @param action receives a row, which is <em>borrowed until</em> it returns
   */
  @Override
  public void forEach(Consumer<? super Row> action) {
    requireNonNull(action, "action");
    try (this) {
      while (next()) {
        action.accept(this);
      }
    }
  }

  /**
   * Not supported: a row is not valid as long as a spliterator needs it; use {@link #stream}, which converts each row.
   */
  @Override
  public Spliterator<Row> spliterator() {
    rows.requireOpen();
    throw new UnsupportedOperationException("spliterator: a scan's rows do not stay; stream makes something of each");
  }

  private boolean nextBlock() {
    boolean found = readBlock();
    started = true;
    ended = !found;
    return found;
  }

  private boolean readBlock() {
    int most = ahead.next();
    if (!started) {
      return start != null ? rows.seek(rows.enter().withKey(start), most) : backward ? rows.last(most) : rows.first(most);
    }
    return backward ? rows.previous(most) : rows.next(most);
  }

  /**
   * Writes the values of the remaining rows, one after another, to a blocking channel: the small rows of a block with
   * one gathering write, and each large row directly from the engine's memory.
   *
   * @param channel must not be in non-blocking mode
   * @return the number of bytes written
   * @throws IOException if the channel fails, or accepts no bytes; the scan's position is then unspecified
   */
  public long writeValuesTo(GatheringByteChannel channel) throws IOException {
    requireNonNull(channel, "channel");
    ahead = new ReadAhead(MANY_ROWS, MANY_ROWS);
    rows.packRowsUpTo(LARGEST_ROW_WRITTEN_WITH_OTHERS);
    List<ByteBuffer> values = new ArrayList<>();
    long written = 0;
    while (next()) {
      do {
        BufferRun.add(values, value(), BufferRun.LARGEST_BUFFER);
      } while (rows.stepInBlock());
      written += new BufferRun(values).writeAll(channel);
      values.clear();
    }
    return written;
  }

  /**
   * Returns the remaining rows as a stream, which closes the scan after the last one, and when it is closed. A parallel
   * stream of a scan at a {@link Snapshot} is read by several threads, as {@link KeyReader#stream} says, unless the scan
   * has been moved; other streams of scans are read by one thread.
   *
   * @param <T> the type of the stream's elements
   * @param mapper converts a row, which is <em>borrowed until</em> it returns
   * @return a sequential, ordered stream
   */
  public <T> Stream<T> stream(Function<? super Row, ? extends T> mapper) {
    return stream(mapper, reader.snapshot != null);
  }

  /** Returns the rows as a stream, which a later state of the database may replace if {@code maySplit}. */
  <T> Stream<T> stream(Function<? super Row, ? extends T> mapper, boolean maySplit) {
    requireNonNull(mapper, "mapper");
    return StreamedRows.of(this, maySplit && reader.source.isThreadSafe() ? range : null, backward, mapper);
  }

  /** Whether the scan has not been moved. */
  boolean isFresh() {
    return !started;
  }

  /** Whether the scan has been moved after its last row. */
  boolean isEnded() {
    return ended;
  }

  @Override
  public String toString() {
    return "scan of " + range + " of " + reader;
  }
}
