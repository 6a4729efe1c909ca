/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.AsyncWriter;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.NullChannels;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Pin;
import org.rocksdbffm.torture.world.Place;

/** Writes pinned values to channels, streams and subscribers, and asks for results as futures. */
public final class HandOffOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("writePin", 40, HandOffOperations::write),
          new Operation("writePinLater", 30, HandOffOperations::writeLater),
          new Operation("readPinAsStream", 30, HandOffOperations::stream),
          new Operation("publishPin", 20, HandOffOperations::publish),
          new Operation("readPinInParts", 30, HandOffOperations::parts),
          new Operation("writePinBatch", 30, HandOffOperations::writeBatch),
          new Operation("writeScan", 20, HandOffOperations::writeScan),
          new Operation("readLater", 40, HandOffOperations::readLater),
          new Operation("changeLater", 40, HandOffOperations::changeLater));

  private static final Duration LONG = Duration.ofDays(1);
  private static final int LONG_VALUE = 30_000;

  private HandOffOperations() {}

  /** Collects the bytes that are written; accepts a random part of each write. */
  private static final class Collector implements GatheringByteChannel {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final Attempt attempt;

    Collector(Attempt attempt) {
      this.attempt = attempt;
    }

    @Override
    public int write(ByteBuffer buffer) {
      int count = attempt.oneIn(3) ? (buffer.remaining() + 1) / 2 : buffer.remaining();
      byte[] bytes = new byte[count];
      buffer.get(bytes);
      taken.writeBytes(bytes);
      return count;
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) {
      long written = 0;
      for (int i = offset; i < offset + length; i++) {
        written += write(buffers[i]);
        if (buffers[i].hasRemaining()) {
          break;
        }
      }
      return written;
    }

    @Override
    public long write(ByteBuffer[] buffers) {
      return write(buffers, 0, buffers.length);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static AssertionError impossible(IOException e) {
    return new AssertionError("a channel that never fails failed", e);
  }

  private static void write(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    var out = new Collector(attempt);
    try {
      if (attempt.oneIn(2)) {
        attempt.use(pin).writeTo((WritableByteChannel) out);
      } else {
        for (long count = -1, position = 0; count != 0; position += count) {
          count = attempt.use(pin).writeTo((WritableByteChannel) out, position);
        }
      }
    } catch (IOException e) {
      throw impossible(e);
    }
    attempt.check(pin.expected[0], out.taken.toByteArray(), "what was written of a pinned value");
  }

  private static void writeLater(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    CompletableFuture<Long> written =
        attempt.oneIn(2)
            ? attempt.use(pin).writeTo(new NullChannels.Asynchronous())
            : attempt.use(pin).writeTo(NullChannels.FILE, attempt.random.nextInt(1000));
    attempt.check(written.join() == pin.expected[0].length, "how much was written in the background");
  }

  private static void stream(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    try (InputStream stream = attempt.use(pin).inputStream()) {
      int skipped = attempt.random.nextInt(pin.expected[0].length + 1);
      stream.skipNBytes(skipped);
      byte[] rest = Arrays.copyOfRange(pin.expected[0], skipped, pin.expected[0].length);
      attempt.check(rest, stream.readAllBytes(), "the rest of a stream");
    } catch (IOException e) {
      throw impossible(e);
    }
  }

  private static void publish(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      Flow.Publisher<ByteBuffer> publisher =
          attempt.oneIn(2) ? attempt.touch(pin).publisher() : attempt.use(pin).publisher(arena);
      var out = new ByteArrayOutputStream();
      var end = new CompletableFuture<Void>();
      publisher.subscribe(
          new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
              subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(ByteBuffer piece) {
              byte[] bytes = new byte[piece.remaining()];
              piece.get(bytes);
              out.writeBytes(bytes);
            }

            @Override
            public void onError(Throwable cause) {
              end.completeExceptionally(cause);
            }

            @Override
            public void onComplete() {
              end.complete(null);
            }
          });
      if (end.isCompletedExceptionally()) {
        attempt.check(end.exceptionNow() instanceof IllegalStateException
            && pin.mayBeClosed(), "a publisher's failure");
        return;
      }
      attempt.check(pin.expected[0], out.toByteArray(), "what was published");
    }
  }

  private static void parts(Attempt attempt) {
    Pin<PinnedValue> pin = attempt.world.pins.any(attempt.random);
    if (pin == null) {
      return;
    }
    int length = pin.expected[0].length;
    int from = attempt.random.nextInt(length + 1);
    byte[] expected = Arrays.copyOfRange(pin.expected[0], from, length);
    try (PinnedValue part = attempt.use(pin).slice(from, length - from);
        PinnedValue.View view = part.view();
        Arena arena = Arena.ofConfined()) {
      attempt.check(part.toString().startsWith("part of "), "the text of a part");
      attempt.check(expected, part.segment(arena), "a part with an arena's lifetime");
      byte[] bytes = new byte[expected.length];
      view.buffer().get(bytes);
      attempt.check(expected, bytes, "the buffer of a part");
      attempt.check(view.buffers().stream().mapToLong(ByteBuffer::remaining).sum() == bytes.length, "its buffers");
    }
  }

  private static void writeBatch(Attempt attempt) {
    Pin<PinnedValues> pin = attempt.world.pinBatches.any(attempt.random);
    if (pin == null) {
      return;
    }
    var all = new ByteArrayOutputStream();
    for (byte[] each : pin.expected) {
      all.writeBytes(each == null ? new byte[0] : each);
    }
    var out = new Collector(attempt);
    try {
      switch (attempt.random.nextInt(4)) {
        case 0 -> attempt.use(pin).writeTo(out);
        case 1 -> {
          for (long count = -1, position = 0; count != 0; position += count) {
            count = attempt.use(pin).writeTo(out, position);
          }
        }
        case 2 -> {
          try (PinnedValues.View view = attempt.use(pin).view()) {
            for (ByteBuffer buffer : view.buffers()) {
              byte[] bytes = new byte[buffer.remaining()];
              buffer.get(bytes);
              out.taken.writeBytes(bytes);
            }
          }
        }
        default -> {
          for (int i = 0; i < pin.expected.length; i++) {
            if (pin.expected[i] != null) {
              try (PinnedValue value = attempt.use(pin).value(i)) {
                value.writeTo(Channels.newChannel(out.taken));
              }
            }
          }
        }
      }
    } catch (IOException e) {
      throw impossible(e);
    }
    attempt.check(all.toByteArray(), out.taken.toByteArray(), "what was written of many values");
  }

  private static void readLater(Attempt attempt) {
    ReadOperations.Question question = ReadOperations.Question.ask(attempt);
    AsyncReader reader = question.reader().async(Runnable::run, 1);
    reader = attempt.oneIn(3) ? reader.timeout(LONG) : reader;
    reader = attempt.oneIn(3) ? reader.completeOn(ForkJoinPool.commonPool()) : reader;
    byte[] key = question.key();
    switch (attempt.random.nextInt(6)) {
      case 0 -> question.check(join(reader.get(key)), attempt);
      case 1 -> question.check(join(reader.get(ClientBytes.segment(key, attempt))), attempt);
      case 2 -> checkPinned(question, join(reader.getPinned(key)), attempt);
      case 3 -> checkPinned(question, join(reader.getPinned(ClientBytes.segment(key, attempt))), attempt);
      case 4 -> join(reader.multiGet(List.of(key, key))).forEach(value -> question.check(value, attempt));
      default -> {
        byte[] value = join(reader.submit(keys -> keys.get(key)));
        question.check(value, attempt);
      }
    }
  }

  private static void checkPinned(ReadOperations.Question question, PinnedValue value, Attempt attempt) {
    try (value;
        PinnedValue.View view = value == null ? null : value.view()) {
      question.check(view == null ? null : view.segment().toArray(ValueLayout.JAVA_BYTE), attempt);
    }
  }

  private static void changeLater(Attempt attempt) {
    WriteOperations.Target target = WriteOperations.Target.choose(attempt);
    AsyncWriter writer = target.space().asyncWriter(attempt.oneIn(2) ? Runnable::run : ForkJoinPool.commonPool(), 4);
    byte[] key = WriteOperations.anyKey(attempt);
    byte[] value = Arrays.copyOf(ClientBytes.value(attempt.random), 100);
    byte[] old = target.rows().get(key);
    switch (attempt.random.nextInt(4)) {
      case 0 -> {
        join(writer.delete(key));
        target.rows().remove(key);
      }
      case 1 -> {
        join(writer.put(key, value));
        target.rows().put(key, value);
      }
      case 2 -> {
        boolean isLong = old != null && old.length > LONG_VALUE;
        join(isLong ? writer.put(key, value) : writer.merge(key, value));
        target.rows().put(key, isLong ? value : WriteOperations.merged(old, value));
      }
      default -> {
        WriteBatch batch = new WriteBatch();
        KeyWriter keys = target.space() instanceof ColumnFamily family ? batch.in(family) : batch;
        keys.put(key, value);
        boolean isOfBatch = keys != batch || target.space() instanceof RocksDb;
        join(isOfBatch ? writer.write(batch) : writer.put(key, value));
        target.rows().put(key, value);
      }
    }
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private static void writeScan(Attempt attempt) {
    Place place = RowOperations.placeToRead(attempt);
    var all = new ByteArrayOutputStream();
    RowOperations.rowsAt(place, attempt).values().forEach(all::writeBytes);
    var out = new Collector(attempt);
    try (Scan scan = attempt.use(place).scan(ClientBytes.range(place.clientSeenBy(attempt.client.number)))) {
      scan.writeValuesTo(out);
    } catch (IOException e) {
      throw impossible(e);
    }
    attempt.check(all.toByteArray(), out.taken.toByteArray(), "what was written of a scan");
  }
}
