/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.redis.ArrayHeaderRedisMessage;
import io.netty.handler.codec.redis.BulkStringHeaderRedisMessage;
import io.netty.handler.codec.redis.BulkStringRedisContent;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.LastBulkStringRedisContent;
import io.netty.handler.codec.redis.RedisCodecException;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the parts of a command together, within limits: nothing is reserved for what was only announced. An argument
 * ends up in one piece, outside the heap, which is how the engine takes it without another copy.
 */
final class CommandAssembler extends ChannelInboundHandlerAdapter {
  private static final int FIRST_ROOM = 16 << 10;

  private final ServerOptions.Limits limits;
  private List<ByteBuf> arguments;
  private int expected;
  private long bytes;
  private int argumentSize;
  private ByteBuf argument;
  private boolean failed;

  CommandAssembler(ServerOptions.Limits limits) {
    this.limits = limits;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (failed) {
        return; // the connection ends; what the decoder still has is not looked at
      }
      switch (message) {
        case ArrayHeaderRedisMessage header -> begin(header.length());
        case BulkStringHeaderRedisMessage header -> beginArgument(header.bulkStringLength());
        case FullBulkStringRedisMessage whole -> {
          if (whole.isNull()) {
            throw new RedisCodecException("an argument is null");
          }
          beginArgument(whole.content().readableBytes());
          endArgument(context, whole.content().retain());
        }
        case LastBulkStringRedisContent last -> endArgument(context, completed(context, last.content()));
        case BulkStringRedisContent part -> append(context, part.content());
        case RedisMessage other -> throw new RedisCodecException("expected a command, got " + kindOf(other));
        default -> throw new IllegalStateException("not of the decoder: " + message.getClass());
      }
    } catch (RuntimeException e) {
      failed = true;
      throw e;
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private static String kindOf(RedisMessage message) {
    return message.getClass().getSimpleName();
  }

  private void begin(long length) {
    if (arguments != null) {
      throw new RedisCodecException("a command within a command");
    }
    if (length < 1 || length > limits.arguments()) {
      throw new RedisCodecException("a command has 1 to " + limits.arguments() + " arguments, not " + length);
    }
    arguments = new ArrayList<>(Math.min((int) length, 16));
    expected = (int) length;
    bytes = 0;
  }

  private void beginArgument(int size) {
    if (arguments == null) {
      throw new RedisCodecException("expected a command");
    }
    bytes += size;
    if (bytes > limits.argumentBytes()) {
      throw new RedisCodecException("the arguments of a command have at most " + limits.argumentBytes() + " bytes");
    }
    argumentSize = size;
  }

  private void append(ChannelHandlerContext context, ByteBuf part) {
    if (argument == null) {
      argument = context.alloc().directBuffer(Math.min(argumentSize, FIRST_ROOM), argumentSize);
    }
    argument.writeBytes(part);
  }

  /** What came at once needs no copy. */
  private ByteBuf completed(ChannelHandlerContext context, ByteBuf last) {
    if (argument == null) {
      return last.retain();
    }
    append(context, last);
    ByteBuf whole = argument;
    argument = null;
    return whole;
  }

  private void endArgument(ChannelHandlerContext context, ByteBuf whole) {
    arguments.add(whole);
    if (arguments.size() == expected) {
      List<ByteBuf> all = arguments;
      arguments = null;
      context.fireChannelRead(Command.of(all));
    }
  }

  /** A client that went may leave half a command. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (argument != null) {
      argument.release();
      argument = null;
    }
    if (arguments != null) {
      arguments.forEach(ByteBuf::release);
      arguments = null;
    }
  }
}
