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
import org.rocksdbffm.netty.ByteBufReader;
import org.rocksdbffm.server.store.Store;

/**
 * The answers of a connection, on their way out in their order. Small values are read one behind the other into one
 * buffer, headers and all, which costs the pipeline one message for many. For the event loop alone.
 */
public final class Answers implements Consumer<ByteBuf> {
  private static final int ROOM = 4 * Store.MOST_GATHERED;
  private static final int LEAST_ROOM = Store.MOST_GATHERED + 16; // for a header, a value and its end
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

  // Of the last value: the next one is mostly read to its place behind a header that is as long.
  private int headerSize = NOTHING.length;

  public Answers(ChannelHandlerContext context) {
    this.context = context;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** From now on the client understands the third version of the protocol, which has a word for nothing. */
  void speak(int protocol) {
    nothing = protocol == 3 ? NOTHING_OF_RESP3 : NOTHING;
  }

  private static byte[] header(int size) {
    return size < PRE_MADE ? HEADERS[size] : bytes("$" + size + "\r\n");
  }

  /** Answers with the value of a key, or throws and answers nothing. */
  public void value(Store store, ByteBuf key) {
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

  /** Answers with a value that was found before, which it <em>owns</em>, or with nothing for null. */
  public void value(ByteBuf value) {
    if (value == null) {
      write(nothing);
    } else {
      message(new FullBulkStringRedisMessage(value));
    }
  }

  /** Begins an array of so many answers. */
  void array(int count) {
    write(bytes("*" + count + "\r\n"));
  }

  /** Begins a map of so many pairs, which the second version of the protocol has as an array. */
  void map(int count) {
    write(bytes((nothing == NOTHING ? "*" + 2 * count : "%" + count) + "\r\n"));
  }

  void integer(long number) {
    write(bytes(":" + number + "\r\n"));
  }

  public Answers text(String text) {
    write(bytes("$" + text.length() + "\r\n" + text + "\r\n"));
    return this;
  }

  public void error(String message) {
    message(Commands.error(message));
  }

  /** Answers in the words of the protocol. */
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

  /** The value that the store did not write to the gathered ones. */
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

  /** An answer that cannot be written, for lack of memory, ends the connection: its client would wait for ever. */
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

  /** The client went. */
  public void forget() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
  }
}
