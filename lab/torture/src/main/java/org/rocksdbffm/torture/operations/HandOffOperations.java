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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.Scan;
import org.rocksdbffm.tools.NullChannels;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Pin;
import org.rocksdbffm.torture.world.Place;

/** Writes pinned values to channels, streams and subscribers, while other clients close the database. */
public final class HandOffOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("writePin", 40, HandOffOperations::write),
          new Operation("writePinLater", 30, HandOffOperations::writeLater),
          new Operation("readPinAsStream", 30, HandOffOperations::stream),
          new Operation("publishPin", 20, HandOffOperations::publish),
          new Operation("readPinInParts", 30, HandOffOperations::parts),
          new Operation("writePinBatch", 30, HandOffOperations::writeBatch),
          new Operation("writeScan", 20, HandOffOperations::writeScan));

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
