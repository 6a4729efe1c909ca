/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.commands;

import io.netty.buffer.ByteBuf;
import org.rocksdbffm.server.protocol.Command;
import org.rocksdbffm.server.store.Store;

/**
 * The values of some keys, one after another: each is read when the client has taken most of those before it. They are of
 * different moments, if somebody writes meanwhile. A value that cannot be read is an error among the values.
 */
public final class Values implements Work {
  private final Store store;
  private final Command command;
  private final boolean isArray;
  private boolean isBegun;
  private int next = 1;

  // The value that was read on a background thread, null if it is absent.
  private boolean isFound;
  private ByteBuf found;

  /** The arguments of a command are keys; the answer is an array, or the value of the only one. */
  Values(Store store, Command command, boolean isArray) {
    this.store = store;
    this.command = command;
    this.isArray = isArray;
  }

  @Override
  public boolean step(Answers answers) {
    begin(answers);
    if (isFound) {
      ByteBuf value = found;
      found = null;
      isFound = false;
      answers.value(value);
    } else {
      answers.value(store, command.argument(next));
    }
    return isLast();
  }

  private void begin(Answers answers) {
    if (isArray && !isBegun) {
      answers.array(command.count());
    }
    isBegun = true;
  }

  private boolean isLast() {
    return next++ == command.count();
  }

  @Override
  public void stepAside() {
    found = store.get(command.argument(next), true);
    isFound = true;
  }

  @Override
  public boolean failed(Answers answers, String error) {
    begin(answers);
    answers.error(error);
    return isLast();
  }

  @Override
  public void release() {
    if (found != null) {
      found.release();
      found = null;
    }
  }
}
