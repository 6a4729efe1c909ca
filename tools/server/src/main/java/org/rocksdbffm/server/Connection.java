/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import org.rocksdbffm.server.commands.ClientSession;
import org.rocksdbffm.server.commands.CommandWork;
import org.rocksdbffm.server.commands.Commands;
import org.rocksdbffm.server.commands.ReplyWriter;
import org.rocksdbffm.server.protocol.ClientRequest;
import org.rocksdbffm.server.protocol.Failures;
import org.rocksdbffm.server.store.ValueStore;

/**
 * The connection of a client: runs its commands in order, step by step. A step that would block runs on another thread,
 * and later commands wait for it. Commands also wait while the client does not read, which limits its pinned values,
 * and after some steps, to let other clients of the event loop run.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  /**
   * The steps after which other connections of the event loop run; each takes microseconds, unless it writes a large
   * value.
   */
  static final int STEPS_AT_A_TIME = 128;

  private static final long PAUSE_NANOS = 10_000_000;

  private final Commands commands;
  private final Executor background;
  private final ClientSession session;
  private final int mostPipelined;
  private final Queue<ClientRequest> waiting = new ArrayDeque<>();
  private ReplyWriter answers;

  // The command that is executed, and its work.
  private ClientRequest command;
  private CommandWork work;
  private int stepsLeft = STEPS_AT_A_TIME;

  private boolean isAside;
  private boolean isPausing;
  private boolean isWorking;
  private boolean ending;
  private boolean drain;

  // The context and its tasks are created in advance, because they are needed when memory runs out.
  private ChannelHandlerContext context;
  private final Runnable aside = this::stepAside;
  private final Runnable back = this::comeBack;
  private Throwable failureAside;

  Connection(Commands commands, Executor background, ServerOptions options) {
    this.commands = commands;
    this.background = background;
    this.session = new ClientSession(options.password());
    this.mostPipelined = options.limits().pipelined();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext handlerContext) {
    context = handlerContext;
    answers = new ReplyWriter(handlerContext);
  }

  @Override
  public void channelRead(ChannelHandlerContext ignored, Object message) {
    ClientRequest received = (ClientRequest) message;
    if (ending) {
      received.release();
      return;
    }
    waiting.add(received);
    if (waiting.size() > mostPipelined) {
      end("ERR more than " + mostPipelined + " commands are waiting: read the answers");
      return;
    }
    work();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ignored) {
    answers.flush();
    if (!isPausing) {
      stepsLeft = STEPS_AT_A_TIME;
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ignored) {
    if (context.channel().isWritable()) {
      work();
      answers.flush();
    }
  }

  /**
   * Runs steps. If a flush makes the channel writable, this is called recursively; then only the outer call continues.
   */
  private void work() {
    if (isWorking) {
      return;
    }
    isWorking = true;
    try {
      while (!isAside && !isPausing && !ending && (work != null || !waiting.isEmpty()) && isReading()) {
        step();
      }
    } finally {
      isWorking = false;
    }
    if (!ending) {
      context.channel().config().setAutoRead(!isAside && !isPausing && isReading());
    }
    if (drain && work == null && waiting.isEmpty()) {
      finish();
    }
  }

  /** Whether the client reads its replies. Flushes first, because unflushed replies say nothing about the client. */
  private boolean isReading() {
    if (!context.channel().isWritable()) {
      answers.flush();
    }
    return context.channel().isWritable();
  }

  private void step() {
    if (stepsLeft-- == 0) {
      pause();
      return;
    }
    try {
      if (work == null) {
        command = waiting.remove();
        if (session.isAdmitted() && command.name().equals("GET") && command.count() == 1) {
          answers.value(commands.store(), command.argument(1)); // the most frequent command needs no Work object
          done();
          return;
        }
        work = begin();
      }
      if (work.step(answers)) {
        done();
      }
    } catch (ValueStore.WouldWait e) {
      leaveAside();
    } catch (Throwable e) {
      fail(Failures.errorReply(e));
    }
  }

  private CommandWork begin() {
    if (command.refusal() != null) {
      return Commands.reply(Commands.error(command.refusal()));
    }
    CommandWork work = session.begin(command);
    return work == null ? commands.begin(command) : work;
  }

  private void done() {
    boolean isLast = command.name().equals("QUIT");
    if (work != null) {
      work.release();
      work = null;
    }
    command.release();
    command = null;
    if (isLast) {
      end();
    }
  }

  private void fail(String error) {
    try {
      if (work == null) {
        answers.error(error);
        done();
      } else if (work.failed(answers, error)) {
        done();
      }
    } catch (Throwable e) { // the error cannot be sent, and the client must not take the next reply for it
      ending = true;
      forget();
      context.close();
    }
  }

  /** Continues with a scheduled task, which runs after the reads of other channels. */
  private void pause() {
    isPausing = true;
    answers.flush();
    context.executor().schedule(this::resume, 1, TimeUnit.NANOSECONDS);
  }

  private void resume() {
    isPausing = false;
    stepsLeft = STEPS_AT_A_TIME;
    work();
    answers.flush();
  }

  private void leaveAside() {
    try {
      if (work == null) {
        work = begin();
      }
      isAside = true;
      background.execute(aside);
    } catch (RejectedExecutionException e) {
      isAside = false;
      fail("BUSY too many commands wait for the disk: try again");
    } catch (Throwable e) {
      isAside = false;
      fail(Failures.errorReply(e));
    }
  }

  /** Runs a step on a background thread. */
  private void stepAside() {
    try {
      work.stepAside();
    } catch (Throwable e) {
      failureAside = e;
    }
    while (!isHandedBack()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Returns whether the event loop accepted the result. If not, its queue could not grow for lack of memory, and the
   * caller tries again.
   */
  private boolean isHandedBack() {
    try {
      context.executor().execute(back);
      return true;
    } catch (RejectedExecutionException e) {
      forget(); // the server is ending, so no other thread runs this
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  private void comeBack() {
    isAside = false;
    Throwable failure = failureAside;
    failureAside = null;
    if (ending) {
      forget();
      return;
    }
    if (failure != null) {
      fail(Failures.errorReply(failure));
    }
    work();
    answers.flush();
  }

  /** Answers the received commands, and then closes the connection. */
  void drain() {
    drain = true;
    work();
  }

  private void finish() {
    end();
  }

  private void end(String error) {
    answers.error(error);
    end();
  }

  /** Closes the connection after all replies are sent. */
  private void end() {
    ending = true;
    answers.flush();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    forget();
  }

  /** Releases the commands; a command on a background thread is released when its step returns. */
  private void forget() {
    waiting.forEach(ClientRequest::release);
    waiting.clear();
    if (command != null && !isAside) {
      done();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ignored, Object event) {
    if (event instanceof IdleStateEvent) {
      context.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
    if (cause instanceof IOException && !(cause instanceof SSLException) || ending) {
      context.close(); // the client disconnected
      return;
    }
    Throwable reason = cause.getCause() instanceof SSLException ? cause.getCause() : cause;
    if (reason instanceof SSLException) {
      context.close(); // the client does not speak TLS
      return;
    }
    try {
      end(Failures.errorReply(reason));
    } catch (Throwable e) {
      context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ignored) {
    ending = true;
    forget();
    answers.forget();
    context.fireChannelInactive();
  }
}
