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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.rocksdbffm.internal.scan.BlockIterator;
import org.rocksdbffm.internal.scan.RangeEnds;
import org.rocksdbffm.internal.scan.ReadAhead;

/**
 * Reads the rows of a range one after another, many of them in one call to the engine: small rows come
 * packed into the scan's memory, large ones are pointed at where the engine has them.
 *
 * <pre>{@code
 * try (Scan rows = db.scan(KeyRange.prefix(prefix))) {
 *   for (Row row : rows) {
 *     use(row.key(), row.value());
 *   }
 * }
 * }</pre>
 *
 * <p>{@link #next} does the same by hand. A loop that goes through all rows closes the scan by itself, as {@link #forEach} does
 * in any case; one that may be left earlier, by {@code break} or an exception, belongs into a try-with-resources statement.
 * A row is the scan itself, and is <em>borrowed until</em> the loop goes on: what must stay is copied.
 *
 * <p>One thread at a time, which may change between rows; see {@link #releaseRow}. It sees the database as
 * it was when the scan was opened. It is closed with its database at the latest.
 */
public final class Scan extends BlockRows implements Iterable<Row> {
  private static final int FEWEST_ROWS = 3;
  private static final int MOST_ROWS = 32;

  /** For a scan that is known to go on to the end. */
  private static final int MANY_ROWS = 256;

  /** Smaller ones are copied, although they could be pointed at, so that many go out with one write. */
  private static final int LARGEST_ROW_WRITTEN_WITH_OTHERS = 2048;

  private final boolean backward;
  private final byte[] start; // null for the range's end at which it begins
  private boolean started;
  private boolean ended;
  private boolean iterated;
  private ReadAhead ahead = new ReadAhead(FEWEST_ROWS, MOST_ROWS);

  Scan(KeyReader reader, KeyRange range, boolean backward) {
    this(reader, range.ends(reader.source.family().rules()), backward);
  }

  private Scan(KeyReader reader, RangeEnds ends, boolean backward) {
    super(
        reader,
        BlockIterator.inBlocks(
            reader.source, reader.readOptions.settings, reader.moment(), reader.overlay, ends, backward));
    this.backward = backward;
    this.start = backward ? null : ends.lower(); // the engine knows no lower bound then
  }

  /**
   * Moves to the next row in the scan's direction.
   *
   * @return whether there is one; once there is none, there never will be
   */
  public boolean next() {
    if (rows.stepInBlock()) {
      return true;
    }
    return !ended && nextBlock();
  }

  /**
   * Goes through the rest of the rows, each of which is this scan. There is one iterator, for its steps are the scan's; it
   * closes the scan behind the last row.
   *
   * @return the iterator; its {@code hasNext} moves the scan, and ends what was borrowed of the row before
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

  /** The rows that the scan has not been at yet. */
  private final class Rest implements Iterator<Row> {
    private boolean isAtNext; // which was not handed out yet

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
   * Does something with each of the rest of the rows, and closes the scan, whatever happens.
   *
   * @param action gets a row, which is <em>borrowed until</em> it returns
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

  /** Not supported: a row does not stay for as long as a spliterator keeps it; {@link #stream} makes something of each. */
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
      return start != null ? rows.seek(start, most) : backward ? rows.last(most) : rows.first(most);
    }
    return backward ? rows.previous(most) : rows.next(most);
  }

  /**
   * Writes the values of the rest of the rows, one behind the other, to a channel that blocks: those of a block of
   * small rows with one gathering write, and each large one from where the engine has it.
   *
   * @param channel not in non-blocking mode
   * @return how many bytes were written
   * @throws IOException if the channel fails, or takes nothing; the scan stands somewhere in between then
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
   * The rest of the rows as a stream, which closes the scan behind the last one, and when it is closed.
   *
   * @param <T> what a row is turned into
   * @param mapper turns a row into what the stream yields; the row is <em>borrowed until</em> it returns
   * @return a sequential, ordered stream
   */
  public <T> Stream<T> stream(Function<? super Row, ? extends T> mapper) {
    requireNonNull(mapper, "mapper");
    Spliterator<T> rest =
        new AbstractSpliterator<>(Long.MAX_VALUE, Spliterator.ORDERED) {
          @Override
          public boolean tryAdvance(Consumer<? super T> action) {
            if (ended || !next()) {
              close();
              return false;
            }
            action.accept(mapper.apply(Scan.this));
            return true;
          }

          @Override
          public Spliterator<T> trySplit() {
            return null; // the rows come from one iterator
          }
        };
    return StreamSupport.stream(rest, false).onClose(this::close);
  }
}
