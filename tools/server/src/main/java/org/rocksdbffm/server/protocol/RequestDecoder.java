/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes commands: arrays of bulk strings, and lines of words, as typed by people. Memory is not allocated for
 * announced sizes before the bytes arrive, and the bytes of incomplete commands are counted. An argument is contiguous,
 * so that the engine can use it without another copy.
 *
 * <p>A command that exceeds a limit is read to its end and discarded, so that the client gets an error and can
 * continue. Bytes that violate the protocol end the connection, because the start of the next command is unknown.
 */
public final class RequestDecoder extends ChannelInboundHandlerAdapter {
  /** The approximate memory of an argument in addition to its bytes. */
  public static final int ARGUMENT_COST = 128;

  private static final int LONGEST_HEADER = 32;
  private static final int LONGEST_LINE = 8 << 10;
  private static final int MOST_DIGITS = 10;
  private static final int FIRST_ROOM = 16 << 10;
  private static final int LARGEST = 512 << 20; // as in Redis
  private static final int LINE = -1;
  private static final int END = 2;

  private final ServerLimits limits;
  private final RequestMemory memory;
  private boolean isOver;

  // The arguments of the command that is being received, null if none. Some are slices of the current read buffer.
  private List<ByteBuf> arguments;
  private int expected;
  private int received;
  private String refusal; // the reason if the command is discarded; otherwise null
  private int kept;
  private long bytes;
  private long counted;

  // The argument that is being received: its size, or LINE during a line; and its bytes so far, if incomplete.
  private int size = LINE;
  private int seen;
  private ByteBuf argument;

  // The bytes of an incomplete line.
  private byte[] line = {};
  private int lineSize;

  public RequestDecoder(ServerLimits limits, RequestMemory memory) {
    this.limits = limits;
    this.memory = memory;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (!isOver && in.isReadable()) {
        if (size == LINE) {
          readLine(context, in);
        } else {
          readArgument(context, in);
        }
      }
    } catch (Throwable e) {
      isOver = true; // ignores the rest of the buffer
      forget();
      context.fireExceptionCaught(e);
    } finally {
      in.release();
    }
  }

  /** Discards a command that is over a limit, or for which memory is lacking. */
  private void refuse(String reason) {
    refusal = reason;
    forget();
    arguments = List.of();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    try {
      keepWhatCame(context);
    } catch (Throwable e) {
      refuse(Failures.errorReply(e));
    }
    context.fireChannelReadComplete();
  }

  /** Copies the arguments of an incomplete command, so that they do not retain many read buffers. */
  private void keepWhatCame(ChannelHandlerContext context) {
    if (arguments == null) {
      return;
    }
    for (; kept < arguments.size(); kept++) {
      ByteBuf part = arguments.get(kept);
      int length = part.readableBytes();
      count(length + ARGUMENT_COST);
      if (length > 0) {
        arguments.set(kept, context.alloc().directBuffer(length).writeBytes(part));
        part.release();
      }
    }
  }

  private void count(long number) {
    memory.take(number);
    counted += number;
  }

  private void readLine(ChannelHandlerContext context, ByteBuf in) {
    int begin = in.readerIndex();
    int end = in.indexOf(begin, in.writerIndex(), (byte) '\n');
    int length = (end < 0 ? in.writerIndex() : end) - begin;
    byte first = lineSize > 0 ? line[0] : in.getByte(begin);
    if (!canBegin(first)) {
      throw RefusedRequest.protocol(arguments == null ? "expected a command"
          : "expected $ and the size of an argument");
    }
    int most = Character.isLetter(first) ? Math.min(LONGEST_LINE, limits.keyBytes()) : LONGEST_HEADER;
    if (lineSize + length > most) {
      throw RefusedRequest.protocol("a line has at most " + most + " bytes");
    }
    if (end >= 0 && lineSize == 0) {
      in.readerIndex(end + 1);
      line(context, in, begin, end);
      return;
    }
    if (line.length < lineSize + length) {
      line = Arrays.copyOf(line, Math.min(most, Math.max(LONGEST_HEADER, 2 * (lineSize + length))));
    }
    in.readBytes(line, lineSize, length);
    lineSize += length;
    if (end >= 0) {
      in.skipBytes(1);
      ByteBuf whole = Unpooled.wrappedBuffer(line, 0, lineSize);
      line = new byte[0];
      lineSize = 0;
      line(context, whole, 0, whole.writerIndex());
    }
  }

  /** Handles a line, without its LF. */
  private void line(ChannelHandlerContext context, ByteBuf in, int begin, int lineEnd) {
    boolean endsWell = lineEnd > begin && in.getByte(lineEnd - 1) == '\r';
    int end = endsWell ? lineEnd - 1 : lineEnd;
    byte first = end > begin ? in.getByte(begin) : 0;
    if (arguments != null || first == '*') {
      if (!endsWell) {
        throw RefusedRequest.protocol("a line does not end with CR LF");
      }
      if (arguments == null) {
        begin(number(in, begin, end, '*', "the number of arguments"));
      } else {
        beginArgument(number(in, begin, end, '$', "the size of an argument"));
      }
    } else if (end > begin) { // ignores an empty line, which redis-cli --pipe sends
      words(context, in.toString(begin, end - begin, StandardCharsets.UTF_8));
    }
  }

  /** Rejects clients of other protocols immediately. */
  private boolean canBegin(byte first) {
    return arguments != null ? first == '$' : first == '*' || Character.isLetter(first) || first == '\r'
        || first == '\n';
  }

  private static long number(ByteBuf in, int begin, int end, char kind, String meaning) {
    if (in.getByte(begin) != kind || end - begin < 2 || end - begin > MOST_DIGITS + 1) {
      throw RefusedRequest.protocol("expected " + kind + " and " + meaning);
    }
    long number = 0;
    for (int i = begin + 1; i < end; i++) {
      int digit = in.getByte(i) - '0';
      if (digit < 0 || digit > 9) {
        throw RefusedRequest.protocol(meaning + " is no number from 0 on");
      }
      number = 10 * number + digit;
    }
    return number;
  }

  private void begin(long count) {
    if (count < 1 || count > limits.arguments()) {
      throw RefusedRequest.protocol("a command has 1 to " + limits.arguments() + " arguments, not " + count);
    }
    arguments = new ArrayList<>((int) Math.min(count, 16));
    expected = (int) count;
    received = 0;
  }

  private void beginArgument(long announced) {
    if (announced > LARGEST) {
      throw RefusedRequest.protocol("an argument has at most " + LARGEST + " bytes");
    }
    size = (int) announced;
    seen = 0;
    boolean isValue = refusal == null && isValue();
    bytes += isValue ? 0 : announced;
    if (refusal == null
        && (announced > (isValue ? limits.valueBytes() : limits.keyBytes()) || bytes > limits.valueBytes())) {
      refuse(
          "ERR a value has at most " + limits.valueBytes() + " bytes, any other argument " + limits.keyBytes()
              + ", and all others of a command together as many as a value");
    }
  }

  /** Whether the argument is a value; only the last argument of SET may be large. */
  private boolean isValue() {
    return arguments.size() == 2 && expected == 3 && ClientRequest.nameOf(arguments.getFirst()).equals("SET");
  }

  private void readArgument(ChannelHandlerContext context, ByteBuf in) {
    if (seen == 0 && in.readableBytes() >= size + END) {
      ByteBuf whole = in.slice(in.readerIndex(), size);
      in.skipBytes(size);
      if (in.readShort() != ('\r' << 8 | '\n')) {
        throw badEnd();
      }
      endArgument(context, whole.retain());
    } else if (seen < size) {
      int length = Math.min(size - seen, in.readableBytes());
      seen += length;
      if (refusal == null) {
        append(context, in, length);
      } else {
        in.skipBytes(length);
      }
    } else if (in.readByte() != (seen++ == size ? '\r' : '\n')) {
      throw badEnd();
    } else if (seen == size + END) {
      ByteBuf whole = argument == null ? Unpooled.EMPTY_BUFFER : argument;
      argument = null;
      if (refusal == null && kept == arguments.size()) {
        kept++;
      }
      endArgument(context, whole);
    }
  }

  private static RefusedRequest badEnd() {
    return RefusedRequest.protocol("an argument does not end with CR LF where its size says");
  }

  /**
   * Appends bytes to a buffer, whose capacity doubles up to the announced size, so each byte is copied at most twice;
   * counts the capacity.
   */
  private void append(ChannelHandlerContext context, ByteBuf in, int length) {
    try {
      makeRoom(context, length);
      argument.writeBytes(in, length);
    } catch (Throwable e) {
      in.skipBytes(length);
      refuse(Failures.errorReply(e));
    }
  }

  private void makeRoom(ChannelHandlerContext context, int length) {
    if (argument == null) {
      int room = Math.min(size, Math.max(FIRST_ROOM, length));
      count(room + ARGUMENT_COST);
      argument = context.alloc().directBuffer(room, size);
    } else if (argument.writableBytes() < length) {
      long needed = Math.max(2L * argument.capacity(), argument.readableBytes() + length);
      int room = (int) Math.min(size, needed);
      count(room - argument.capacity());
      argument.capacity(room);
    }
  }

  private void endArgument(ChannelHandlerContext context, ByteBuf whole) {
    if (refusal == null) {
      arguments.add(whole);
    } else {
      whole.release();
    }
    size = LINE;
    if (++received == expected) {
      pass(context);
    }
  }

  private void pass(ChannelHandlerContext context) {
    ClientRequest command =
        refusal == null ? ClientRequest.of(arguments, memory, counted) : ClientRequest.refused(refusal, memory);
    arguments = null;
    refusal = null;
    kept = 0;
    bytes = 0;
    counted = 0;
    context.fireChannelRead(command);
  }

  private void words(ChannelHandlerContext context, String text) {
    String[] words = text.trim().split("\\s+");
    if (words[0].equalsIgnoreCase("POST") || words[0].equalsIgnoreCase("HOST:")) {
      throw RefusedRequest.protocol("this is HTTP, which some browser may have been tricked into");
    }
    if (words.length > limits.arguments()) {
      throw RefusedRequest.protocol("a command has 1 to " + limits.arguments() + " arguments, not " + words.length);
    }
    arguments = new ArrayList<>(words.length);
    for (String word : words) {
      arguments.add(Unpooled.copiedBuffer(word, StandardCharsets.UTF_8));
    }
    pass(context);
  }

  private void forget() {
    if (argument != null) {
      argument.release();
      argument = null;
    }
    if (arguments != null) {
      arguments.forEach(ByteBuf::release);
      arguments = null;
    }
    memory.give(counted);
    counted = 0;
    kept = 0;
    line = new byte[0];
  }

  /** Releases the incomplete command of a client that has disconnected. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    isOver = true;
    forget();
  }
}
