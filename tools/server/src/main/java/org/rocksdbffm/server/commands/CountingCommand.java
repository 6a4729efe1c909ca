/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBuf;
import org.rocksdbffm.server.protocol.ClientRequest;

/** A command that counts the keys for which a condition holds; each step tests one key. */
public final class CountingCommand implements CommandWork {
  /** Tests a key, or throws {@link Store.WouldWait}. */
  interface Question {
    boolean ask(ByteBuf key, boolean mayWait);
  }

  private final ClientRequest command;
  private final Question question;
  private int next = 1;
  private long count;

  /** Takes the command's arguments as keys. */
  CountingCommand(ClientRequest command, Question question) {
    this.command = command;
    this.question = question;
  }

  @Override
  public boolean step(ReplyWriter answers) {
    if (next <= command.count()) {
      look(false);
    }
    if (next <= command.count()) {
      return false;
    }
    answers.integer(count);
    return true;
  }

  private void look(boolean mayWait) {
    count += question.ask(command.argument(next), mayWait) ? 1 : 0;
    next++;
  }

  @Override
  public void stepAside() {
    look(true);
  }

  @Override
  public boolean failed(ReplyWriter answers, String error) {
    answers.error(error);
    return true;
  }

  @Override
  public void release() {}
}
