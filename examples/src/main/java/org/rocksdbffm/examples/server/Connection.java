/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.server;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.redis.RedisCodecException;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.rocksdbffm.PinLimitException;

/**
 * One client's connection: its commands one after another, and their answers in that order. What would wait is left to
 * another thread, and the commands behind it wait for their turn; so they do while the client does not read, which
 * bounds what is pinned for it.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOGGER = System.getLogger(Connection.class.getName());

  private final Commands commands;
  private final Executor background;
  private final byte[] password;
  private final int mostPipelined;
  private final Queue<Command> waiting = new ArrayDeque<>();
  private boolean admitted;
  private boolean busy;
  private boolean working;
  private boolean ending;
  private boolean drain;
  private Answers answers;

  Connection(Commands commands, Executor background, ServerOptions options) {
    this.commands = commands;
    this.background = background;
    this.password = options.password() == null ? null : options.password().getBytes(StandardCharsets.UTF_8);
    this.mostPipelined = options.limits().pipelined();
    this.admitted = password == null;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    answers = new Answers(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Command command = (Command) message;
    if (ending) {
      command.release();
      return;
    }
    waiting.add(command);
    if (waiting.size() > mostPipelined) {
      end("ERR more than " + mostPipelined + " commands are waiting: read the answers");
      return;
    }
    work(context);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    answers.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      work(context);
      answers.flush();
    }
  }

  /** Entered again from within, where a flush makes the channel writable: then the outer one goes on. */
  private void work(ChannelHandlerContext context) {
    if (working) {
      return;
    }
    working = true;
    try {
      while (isReading(context) && !busy && !ending && !waiting.isEmpty()) {
        begin(context, waiting.remove());
      }
    } finally {
      working = false;
    }
    if (!ending) {
      context.channel().config().setAutoRead(!busy && isReading(context));
    }
    if (drain && !busy && waiting.isEmpty()) {
      finish(context);
    }
  }

  /** Whether the client takes its answers. What was not flushed yet is not its fault. */
  private boolean isReading(ChannelHandlerContext context) {
    if (!context.channel().isWritable()) {
      answers.flush();
    }
    return context.channel().isWritable();
  }

  private void begin(ChannelHandlerContext context, Command command) {
    RedisMessage answer;
    try {
      if (!admitted || command.name().equals("AUTH")) {
        answer = admit(command);
      } else if (command.name().equals("QUIT")) {
        answer = new io.netty.handler.codec.redis.SimpleStringRedisMessage("OK");
        ending = true;
      } else if (command.name().equals("GET") && command.count() == 1) {
        answers.value(commands.store(), command.argument(1));
        command.release();
        return;
      } else {
        answer = commands.answer(command, false);
      }
    } catch (Store.WouldWait e) {
      busy = true;
      leaveTo(context, command);
      return;
    } catch (RuntimeException e) {
      answer = failure(e);
    }
    command.release();
    reply(answer);
  }

  private RedisMessage admit(Command command) {
    if (!command.name().equals("AUTH")) {
      return Commands.error("NOAUTH Authentication required.");
    }
    if (password == null) {
      return Commands.error("ERR no password is configured");
    }
    byte[] given = io.netty.buffer.ByteBufUtil.getBytes(command.argument(command.count()));
    admitted = command.count() >= 1 && command.count() <= 2 && MessageDigest.isEqual(password, given);
    return admitted
        ? new io.netty.handler.codec.redis.SimpleStringRedisMessage("OK")
        : Commands.error("WRONGPASS invalid username-password pair or user is disabled.");
  }

  private void leaveTo(ChannelHandlerContext context, Command command) {
    try {
      background.execute(() -> {
        RedisMessage answer;
        try {
          answer = commands.answer(command, true);
        } catch (RuntimeException e) {
          answer = failure(e);
        }
        command.release();
        RedisMessage said = answer;
        context.executor().execute(() -> goOn(context, said));
      });
    } catch (RejectedExecutionException e) {
      command.release();
      goOn(context, Commands.error("BUSY too many commands wait for the disk: try again"));
    }
  }

  private void goOn(ChannelHandlerContext context, RedisMessage answer) {
    busy = false;
    reply(answer);
    work(context);
    answers.flush();
  }

  private void reply(RedisMessage answer) {
    var written = answers.message(answer);
    if (ending) {
      written.addListener(ChannelFutureListener.CLOSE);
      answers.flush();
      forget();
    }
  }

  private static RedisMessage failure(RuntimeException e) {
    if (e instanceof PinLimitException) {
      return Commands.error("BUSY too much is on its way out: try again");
    }
    if (!(e instanceof IllegalArgumentException || e instanceof IllegalStateException)) { // the client's, or closed
      LOGGER.log(Level.WARNING, "a command failed", e);
    }
    return Commands.error("ERR " + e.getMessage());
  }

  /** Answers what was received, and closes then. */
  void drain(ChannelHandlerContext context) {
    drain = true;
    work(context);
  }

  private void finish(ChannelHandlerContext context) {
    ending = true;
    answers.flush();
    context.writeAndFlush(io.netty.buffer.Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void end(String message) {
    ending = true;
    reply(Commands.error(message));
  }

  private void forget() {
    waiting.forEach(Command::release);
    waiting.clear();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent) {
      context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (reason instanceof IOException || reason instanceof javax.net.ssl.SSLException) {
      context.close(); // the client went, or does not speak TLS
    } else if (!ending) {
      if (!(reason instanceof RedisCodecException)) {
        LOGGER.log(Level.WARNING, "a connection failed", reason);
      }
      end("ERR Protocol error: " + reason.getMessage());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    forget();
    answers.forget();
    context.fireChannelInactive();
  }
}
