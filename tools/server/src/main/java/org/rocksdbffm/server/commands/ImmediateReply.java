/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import java.util.function.Consumer;

/** A command with an immediate reply, in the client's version of the protocol. */
public record ImmediateReply(Consumer<ReplyWriter> words) implements CommandWork {
  @Override
  public boolean step(ReplyWriter answers) {
    words.accept(answers);
    return true;
  }

  @Override
  public void stepAside() {
    throw new IllegalStateException("there is nothing to wait for");
  }

  @Override
  public boolean failed(ReplyWriter answers, String error) {
    answers.error(error);
    return true;
  }

  @Override
  public void release() {}
}
