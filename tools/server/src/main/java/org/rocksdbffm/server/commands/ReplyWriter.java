/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.rocksdbffm.server.store.ValueStore;

/**
 * Writes the replies of a connection in order. Small values and their headers are gathered in one buffer, so that the
 * pipeline handles one message for many replies. Used only on the event loop.
 */
public final class ReplyWriter implements Consumer<ByteBuf> {
  private static final int ROOM = 4 * ValueStore.MOST_GATHERED;
  private static final int LEAST_ROOM = ValueStore.MOST_GATHERED + 16; // room for a header, a value and its end
  private static final int PRE_MADE = 1025;
  private static final int LINE_END = '\r' << 8 | '\n';
  private static final byte[] NOTHING = bytes("$-1\r\n");
  private static final byte[] NOTHING_OF_RESP3 = bytes("_\r\n");
  private static final byte[][] HEADERS = new byte[PRE_MADE][];

  static {
    for (int size = 0; size < PRE_MADE; size++) {
      HEADERS[size] = bytes("$" + size + "\r\n");
    }
  }

  private final ChannelHandlerContext context;
  private byte[] nothing = NOTHING;
  private ByteBuf gathered;
  private ByteBuf large;

  // The last value's header size, which is assumed for the next value, so that the value is read directly to its place
  // after the header.
  private int headerSize = NOTHING.length;

  public ReplyWriter(ChannelHandlerContext context) {
    this.context = context;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Sets the protocol's version; version 3 has a null. */
  void speak(int protocol) {
    nothing = protocol == 3 ? NOTHING_OF_RESP3 : NOTHING;
  }

  private static byte[] header(int size) {
    return size < PRE_MADE ? HEADERS[size] : bytes("$" + size + "\r\n");
  }

  /** Writes the value of a key; if it throws, nothing is written. */
  public void value(ValueStore store, ByteBuf key) {
    ByteBuf answers = withRoom();
    int start = answers.writerIndex();
    long size;
    try {
      answers.writerIndex(start + headerSize);
      size = store.getInto(key, answers, this);
    } catch (Throwable e) {
      answers.writerIndex(start);
      throw e;
    }
    if (large != null) {
      answers.writerIndex(start);
      ByteBuf value = large;
      large = null;
      message(new FullBulkStringRedisMessage(value));
    } else if (size < 0) {
      answers.writerIndex(start).writeBytes(nothing);
    } else {
      complete(answers, start, (int) size);
    }
  }

  /** Writes a value, which it <em>owns</em>; the protocol's null if the value is null. */
  public void value(ByteBuf value) {
    if (value == null) {
      write(nothing);
    } else {
      message(new FullBulkStringRedisMessage(value));
    }
  }

  /** Starts an array of replies. */
  void array(int count) {
    write(bytes("*" + count + "\r\n"));
  }

  /** Starts a map of pairs; an array in version 2 of the protocol. */
  void map(int count) {
    write(bytes((nothing == NOTHING ? "*" + 2 * count : "%" + count) + "\r\n"));
  }

  void integer(long number) {
    write(bytes(":" + number + "\r\n"));
  }

  public ReplyWriter text(String text) {
    write(bytes("$" + text.length() + "\r\n" + text + "\r\n"));
    return this;
  }

  public void error(String message) {
    message(Commands.error(message));
  }

  /** Writes an encoded reply. */
  void write(byte[] words) {
    if (words.length > LEAST_ROOM) {
      throw new IllegalArgumentException(words.length + " bytes are too many to gather");
    }
    withRoom().writeBytes(words);
  }

  private void complete(ByteBuf answers, int start, int size) {
    byte[] header = header(size);
    answers.ensureWritable(header.length + 2);
    if (header.length != headerSize) {
      answers.setBytes(start + header.length, answers, start + headerSize, size);
      headerSize = header.length;
    }
    answers.setBytes(start, header);
    answers.writerIndex(start + header.length + size).writeShort(LINE_END);
  }

  /** Receives a large value, which the store passes in a separate buffer instead of writing it to the replies. */
  @Override
  public void accept(ByteBuf value) {
    large = value;
  }

  private ByteBuf withRoom() {
    if (gathered != null && gathered.writableBytes() < LEAST_ROOM) {
      pass();
    }
    if (gathered == null) {
      gathered = context.alloc().directBuffer(ROOM);
    }
    return gathered;
  }

  /** Writes a message; closes the connection if that fails, because the client would wait forever. */
  ChannelFuture message(RedisMessage message) {
    pass();
    return context.write(message).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  private void pass() {
    ByteBuf answers = gathered;
    gathered = null;
    if (answers != null) {
      if (answers.isReadable()) {
        context.write(answers).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
      } else {
        answers.release();
      }
    }
  }

  public void flush() {
    pass();
    context.flush();
  }

  /** Releases the gathered replies of a client that has disconnected. */
  public void forget() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
  }
}
