/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.handler.codec.redis.RedisMessage;
import io.netty.util.ReferenceCountUtil;

/** A command with one step. */
public final class OneAnswer implements CommandWork {
  /** Computes the reply, or throws {@link Store.WouldWait}. */
  interface Question {
    RedisMessage ask(boolean mayWait);
  }

  private final Question question;
  private RedisMessage found;

  OneAnswer(Question question) {
    this.question = question;
  }

  @Override
  public boolean step(ReplyWriter answers) {
    RedisMessage answer = found != null ? found : question.ask(false);
    found = null;
    answers.message(answer);
    return true;
  }

  @Override
  public void stepAside() {
    found = question.ask(true);
  }

  @Override
  public boolean failed(ReplyWriter answers, String error) {
    answers.error(error);
    return true;
  }

  @Override
  public void release() {
    ReferenceCountUtil.release(found);
    found = null;
  }
}
